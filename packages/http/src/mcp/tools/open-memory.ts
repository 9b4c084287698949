import type { ReadonlyStatic } from '../../api/readonly-static.ts'
import type { Client } from '../../client/client.ts'
import { describeLie } from '../../client/proof/check-sample.ts'
import { guardOf } from '../guard.ts'
import { noteOf } from '../guarded-tool.ts'
import { memoryPart } from './memory-part.ts'
import { progressStages } from './progress-stages.ts'
import type { CallContext } from './tool.ts'
import { describeOpened, type OpenedMemory } from './tool-schemas.ts'

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
