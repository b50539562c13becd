/** The pieces of Ink that are in use: nothing else imports it, so that another renderer could take its place. */
export { Box, render, Static, Text, useCursor } from 'ink';
