import type { Client } from '../../client/client.ts'
import { memoryPart } from './memory-part.ts'
import { describeOpened } from './tool-schemas.ts'

/** Downloads and verifies a memory; returns as much of it as fits in the context of a model. */
export async function openMemory(
  client: Pick<Client, 'download' | 'excerpts'>,
  tokenId: string,
  { offset, signal }: { readonly offset: number | undefined; readonly signal: AbortSignal },
) {
  const memory = await client.download(tokenId, { signal })
  return { ...(await describeOpened(client, memory, { signal })), ...memoryPart(memory, offset) }
}

/** Summarizes an opened memory in a sentence. */
export const summarizeOpened = (opened: { readonly tokenId: string; readonly bytes: number }) =>
  `Opened token ${opened.tokenId}, ${opened.bytes} bytes, verified against the chain.`
