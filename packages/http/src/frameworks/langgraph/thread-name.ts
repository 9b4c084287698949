import { hexOf, sha256 } from '../../client/proof/content-hash.ts'

/**
 * Returns the name of a thread below a name: `ada/7` for thread 7. Ids that a name cannot have, such as
 * those with capital letters, are written as `h.` and a hash.
 */
export async function threadName(name: string, threadId: string): Promise<string> {
  if (/^(?!h\.)[a-z0-9_][a-z0-9._-]{0,62}$/.test(threadId)) return `${name}/${threadId}`
  const hash = hexOf(await sha256(new TextEncoder().encode(threadId)))
  return `${name}/h.${hash.slice(2, 50)}`
}
