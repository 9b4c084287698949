import { exitCodeOf } from './exit-code.ts'
import { jsonText, write } from './output.ts'
import { printable } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Tells what went wrong, to a person or as JSON, and returns the exit code. */
export async function complain(
  { stderr }: Terminal,
  error: unknown,
  json: boolean,
): Promise<number> {
  const { code = 'service/unexpected', facts = {} } = Object(error)
  const message = printable(sentenceOf(error))
  const text = json ? jsonText({ code, message, facts }) : message
  await write(stderr, `${text}\n`).catch(() => undefined)
  return exitCodeOf(error)
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : String(error)
}
