import { unescapeToken } from '@heirloom/core'
import type { Client } from '../../client/client.ts'
import type { Finding } from '../../scan/finding.ts'

/** A value of a memory: its pointer, and its exact text where it is printed. */
type Part = { readonly pointer?: string | undefined; readonly text?: string | undefined }

type Scans = Pick<Client, 'scan' | 'isOwn'>
type Options = { readonly signal: AbortSignal }

/**
 * Returns what is found in values of a memory and in the names that lead to them, unless it is one's
 * own; pointers are of the memory.
 */
export async function findingsOfParts(
  client: Scans,
  tokenId: string,
  parts: readonly Part[],
  options: Options,
): Promise<readonly Finding[]> {
  if (await client.isOwn(tokenId, options).catch(() => false)) return []
  const scans = parts.map(async ({ pointer = '', text = '' }) => {
    const { findings } = await client.scan(text, options)
    return findings.map((it) => ({ ...it, pointer: `${pointer}${it.pointer}` }))
  })
  return [...(await findingsInNames(client, parts, options)), ...(await Promise.all(scans)).flat()]
}

async function findingsInNames(
  client: Scans,
  parts: readonly Part[],
  options: Options,
): Promise<readonly Finding[]> {
  const names = new Map(parts.flatMap(({ pointer = '' }) => namesIn(pointer)))
  const pointers = [...names.keys()]
  const { findings } = await client.scan(JSON.stringify([...names.values()]), options)
  return findings.map((it) => {
    const pointer = pointers[Number(it.pointer.slice(1))] ?? ''
    return { ...it, pointer, in: 'name' as const }
  })
}

/** Returns the names in a pointer, each with the pointer to its value. */
function namesIn(pointer: string): readonly (readonly [string, string])[] {
  let at = ''
  return pointer
    .split('/')
    .slice(1)
    .map((token) => {
      at += `/${token}`
      return [at, unescapeToken(token)] as const
    })
}
