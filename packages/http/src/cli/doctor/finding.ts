import { isFailure } from '@heirloom/core'
import { wrapText } from '../terminal/wrap-text.ts'

/** The result of checking one part of an installation. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly name: string
  readonly sentence: string
  /** The next step for the operator. */
  readonly advice?: string
  /** The reason why the part was not checked; absent when it was. */
  readonly skippedBecause?: string
}

/** Returns the finding for a part in order. */
export const ok = (name: string, sentence: string): Finding => ({ level: 'ok', name, sentence })

/** Returns the finding for a part that needs attention, or could not be checked. */
export const warn = (name: string, sentence: string, advice: string): Finding => ({
  ...{ level: 'warn', name, sentence, advice },
})

/** Returns the finding for a broken part. */
export const fail = (name: string, sentence: string, advice: string): Finding => ({
  ...{ level: 'fail', name, sentence, advice },
})

/** Runs a check; a check that throws becomes a `fail` finding with the given advice. */
export async function runCheck(
  name: string,
  advice: string,
  check: () => Finding | Promise<Finding>,
): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return fail(name, sentenceOf(error), advice)
  }
}

// The messages of other errors quote URLs, which may contain passwords.
function sentenceOf(error: unknown): string {
  if (isFailure(error)) return error.message
  const { code, name } = error as { readonly code?: unknown; readonly name?: string }
  return `The check failed (${code ?? name}).`
}

/** Returns a finding as text: one line, or on a terminal as many as its width needs. */
export function findingLines(
  { level, name, sentence, advice }: Finding,
  width: number,
): readonly string[] {
  const head = `${level.padEnd(4)}  ${name.padEnd(16)}  `
  const text = advice === undefined ? sentence : `${sentence}  — ${advice}`
  if (head.length + text.length <= width) return [`${head}${text}`]
  const [first = '', ...rest] = wrapText(text, Math.max(width - head.length, 20))
  const indent = ' '.repeat(head.length)
  return [`${head}${first.trimEnd()}`, ...rest.map((line) => `${indent}${line.trimEnd()}`)]
}
