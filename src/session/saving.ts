/** What `Journal.saving` says when all is well. */
export const isSaved = 'saving';

/** What it says when the user asked for no log; no warning is due then. */
export const notWanted = 'Not being saved: --no-session.';
