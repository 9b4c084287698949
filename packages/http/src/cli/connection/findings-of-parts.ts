import type { Client } from '../../client/client.ts'
import type { Finding } from '../../scan/finding.ts'

/** A value of a memory: its pointer and its exact text. */
type Part = { readonly pointer?: string | undefined; readonly text?: string | undefined }

/** Returns what is found in values of a memory, unless it is one's own; pointers are of the memory. */
export async function findingsOfParts(
  client: Pick<Client, 'scan' | 'isOwn'>,
  tokenId: string,
  parts: readonly Part[],
  options: { readonly signal: AbortSignal },
): Promise<readonly Finding[]> {
  if (await client.isOwn(tokenId, options).catch(() => false)) return []
  const scans = parts.map(async ({ pointer = '', text = '' }) => {
    const { findings } = await client.scan(text, options)
    return findings.map((it) => ({ ...it, pointer: `${pointer}${it.pointer}` }))
  })
  return (await Promise.all(scans)).flat()
}
