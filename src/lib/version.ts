declare const TILLDONE_VERSION: string | undefined;

/** The version of this build; the bundler puts it in. */
export const version: string = typeof TILLDONE_VERSION === 'string' ? TILLDONE_VERSION : '0.0.0-source';
