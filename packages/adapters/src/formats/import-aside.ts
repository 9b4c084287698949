import { extname } from 'node:path'
import { worker } from '../platform/worker.ts'
import { importMemory } from './import-memory.ts'
import type { ImportedMemory, ImportOptions, SecretChoice } from './import-report.ts'
import { handleSecrets, type RedactedText } from './secrets/secrets.ts'
import type { SourceFile } from './source-file.ts'

/** A job of the thread: an import of files, or the secrets of a text. */
export type AsideJob =
  | { readonly files: readonly SourceFile[]; readonly options: ImportOptions }
  | { readonly text: string; readonly choice: SecretChoice }

/** The bytes or characters from which a search for secrets takes so long that a person notices. */
const longFrom = 2 ** 20

// The extension of this module is also that of the thread's program, packed or not.
const program = `./import-aside-program${extname(import.meta.url)}`

/**
 * Imports files as `importMemory` does, long ones in a thread of its own, so that this one still
 * notices Ctrl-C. The signal ends the thread.
 *
 * @throws what `importMemory` throws, and `service/unexpected` for a thread that was ended
 */
export async function importAside(
  files: readonly SourceFile[],
  options: ImportOptions,
  signal: AbortSignal,
): Promise<ImportedMemory> {
  const length = files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  return length < longFrom ? importMemory(files, options) : perform({ files, options }, signal)
}

/** Handles the secrets of a text as `handleSecrets` does, of a long one as `importAside`. */
export async function handleSecretsAside(
  text: string,
  choice: SecretChoice,
  signal: AbortSignal,
): Promise<RedactedText> {
  return text.length < longFrom ? handleSecrets(text, choice) : perform({ text, choice }, signal)
}

async function perform<Answer>(job: AsideJob, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted()
  const thread = worker<AsideJob, Answer>(new URL(program, import.meta.url))
  const end = () => void thread.end()
  signal.addEventListener('abort', end, { once: true })
  try {
    return await thread.ask(job)
  } finally {
    signal.removeEventListener('abort', end)
    await thread.end()
  }
}
