const goAhead = /^(?:continue|go on|go ahead|proceed|resume|keep going|carry on|yes|ok|okay)\s*[.!]*$/iu;

/** Whether the text is a bare go-ahead: it puts an unfinished list in play again. */
export function isGoAhead(text: string): boolean {
  return goAhead.test(text.trim());
}
