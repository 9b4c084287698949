import type { ReadonlyStatic } from '../../api/schemas/schema-parts.ts'
import { describeLie } from '../../client/check-sample.ts'
import type { Client } from '../../client/client.ts'
import type { Memory } from '../../client/download.ts'
import { guardOf } from '../guard.ts'
import { noteOf } from '../guarded-tool.ts'
import { type CallContext, progressStages } from './tool.ts'
import { describeOpened, type OpenedMemory } from './tool-schemas.ts'

/** The most characters of a memory in one result. */
export const mostCharacters = 40_000

export declare namespace memoryPart {
  type Part = {
    readonly data?: Memory['data']
    readonly metadata?: Memory['metadata']
    readonly text?: string
    readonly next: number | null
  }
}

/**
 * Returns the part of a memory that fits in the context of a model. Without an offset: a short
 * memory as JSON, or only `next: 0` for a long one. With an offset: a part of its exact text.
 */
export function memoryPart(
  { data, metadata, document }: Pick<Memory, 'data' | 'metadata' | 'document'>,
  offset: number | undefined,
): memoryPart.Part {
  const whole = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document)
  if (offset !== undefined) return partFrom(whole, offset)
  return whole.length > mostCharacters ? { next: 0 } : { data, metadata, next: null }
}

type TextPart = { readonly text: string; readonly next: number | null }

/** Returns the part of a text from an offset, of at most so many characters. */
export function partFrom(whole: string, offset: number, most = mostCharacters): TextPart {
  const end = endOfCharacter(whole, offset + most)
  return { text: whole.slice(offset, end), next: end < whole.length ? end : null }
}

// Many programs cannot read half of a surrogate pair.
function endOfCharacter(text: string, at: number): number {
  const isSplit = /^[\uDC00-\uDFFF]/.test(text.slice(at, at + 1))
  return isSplit ? at - 1 : at
}

/** Downloads and verifies a memory; returns as much of it as fits in the context of a model. */
export async function openMemory(
  client: Pick<Client, 'download' | 'excerpts'>,
  tokenId: string,
  { offset, flagged, signal, report }: CallContext & OpenOptions,
) {
  const onProgress = progressStages({ report })({ from: 0, to: 95, message: 'Downloading' })
  const memory = await client.download(tokenId, { signal, onProgress })
  const shown = flagged ? memory : memory.quarantine()
  return {
    ...(await describeOpened(client, memory, { signal })),
    ...(memory.isScanned && { guard: guardOf(memory.findings, flagged) }),
    ...memoryPart(shown, offset),
  }
}

type OpenOptions = {
  readonly offset: number | undefined
  /** Whether to return what is held back in the memory of another. */
  readonly flagged: boolean | undefined
}

/** Summarizes an opened memory, and says what to do with one that is too long for a result. */
export function summarizeOpened({ tokenId, bytes, data, next, sample, guard }: Opened): string {
  const note = noteOf(guard === undefined ? {} : { guard })
  const opened = `Opened token ${tokenId}, ${bytes} bytes, verified against the chain.${note}`
  if (sample?.isTrue === false) return `${opened} ${describeLie(sample)}`
  if (next === null || data !== undefined) return opened
  return `${opened} It is too long for one result: call again with offset ${next}, read parts with memory_outline and memory_part, or use memory_save if available.`
}

type Opened = ReadonlyStatic<typeof OpenedMemory>
