import { errorWords } from '@heirloom/adapters/internal/platform'
import { type FailureCode, isFailure } from '@heirloom/core'
import { remedyOf } from '../../../server/remedy-of.ts'
import { wrapText } from '../../terminal/value-text.ts'

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
  level: 'warn',
  name,
  sentence,
  advice,
})

/** Returns the finding for a broken part. */
export const fail = (name: string, sentence: string, advice: string): Finding => ({
  level: 'fail',
  name,
  sentence,
  advice,
})

/**
 * Runs a check. One that throws becomes a `fail` finding, with the remedy of the cause where that is
 * known, and else with the given advice.
 */
export async function runCheck(
  name: string,
  advice: string,
  check: () => Finding | Promise<Finding>,
): Promise<Finding> {
  try {
    return await check()
  } catch (error) {
    return failed(name, error, advice)
  }
}

/** Advice where no error says that data is lost: a copy that is put back may be older than it. */
export const keepData =
  'The data may be whole, so put nothing back. Run doctor with the version of Heirloom that ran here last.'

/**
 * Returns the finding for an error: what to do follows from its cause, or from the problem of a folder
 * or a setting, which ends with it, and only else from the check that met it.
 */
export function failed(name: string, error: unknown, advice: string): Finding {
  if (isFailure(error, 'folder/unusable') || isFailure(error, 'config/invalid')) {
    const [problem, ...remedies] = error.message.slice(0, -1).split('; ')
    const remedy = remedies.join('; ')
    if (remedy !== '') {
      return fail(name, `${problem}.`, `${remedy[0]?.toUpperCase()}${remedy.slice(1)}.`)
    }
  }
  const own = isFailure(error) ? remedies[error.code] : undefined
  return fail(name, sentenceOf(error), own ?? remedyOf(error) ?? advice)
}

/** By the failure, where its sentence does not say what to do. */
const remedies: { readonly [code in FailureCode]?: string } = {
  'evm/not-installed':
    'Install again with Node 24 (npm leaves it out under Node 20), or @heirloom/http where only @heirloom/cli is. The folder needs no change.',
  'folder/in-use': 'Stop the server or the command that uses the folder, and run doctor again.',
  'journal/diverged':
    'Run doctor with the version of Heirloom that ran here last. If that finds the same, restore chain.sqlite from the newest backup.',
}

// The messages of many errors quote URLs, which may contain passwords.
function sentenceOf(error: unknown): string {
  if (isFailure(error)) return withCause(error.message, error.cause)
  const { code = (error as Error).name, message } = errorWords(error)
  return message === undefined
    ? `The check failed (${code}).`
    : `The check failed: ${message.replace(/\.$/, '')} (${code}).`
}

/** Returns a sentence with the words of its first cause, unless it repeats them. */
function withCause(sentence: string, error: unknown): string {
  const { cause } = Object(error)
  if (cause !== undefined) return withCause(sentence, cause)
  const { message } = errorWords(error)
  return message === undefined || sentence.includes(message) ? sentence : `${sentence} (${message})`
}

/** The least width of the text of a finding beside its name, in characters. */
const narrowest = 24

/** Returns a finding as text: one line, or on a terminal as many as its width needs. */
export function findingLines(
  { level, name, sentence, advice }: Finding,
  width: number,
): readonly string[] {
  const head = `${level.padEnd(4)}  ${name.padEnd(16)}  `
  const text = advice === undefined ? sentence : `${sentence}  — ${advice}`
  if (head.length + text.length <= width) return [`${head}${text}`]
  const isNarrow = width - head.length < narrowest
  const indent = ' '.repeat(isNarrow ? 6 : head.length)
  const lines = wrapText(text, Math.max(width - indent.length, narrowest))
  const [first = '', ...rest] = isNarrow ? ['', ...lines] : lines
  return [`${head}${first}`.trimEnd(), ...rest.map((line) => `${indent}${line.trimEnd()}`)]
}
