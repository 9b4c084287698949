/**
 * The commit that this program was built from, with `-dirty` behind it if files were changed since;
 * `undefined` for the sources themselves. The build fills it in.
 */
export const commit: string | undefined = undefined
