import { isFailure } from '@heirloom/core'

/** What was found out about one part of an installation. */
export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly name: string
  readonly sentence: string
  /** What to do about it. */
  readonly advice?: string
}

/** Says that a part is as it should be. */
export const ok = (name: string, sentence: string): Finding => ({ level: 'ok', name, sentence })

/** Says that a part works, or cannot be looked at, and what to do. */
export const warn = (name: string, sentence: string, advice: string): Finding => ({
  ...{ level: 'warn', name, sentence, advice },
})

/** Says that a part is broken, and what to do. */
export const fail = (name: string, sentence: string, advice: string): Finding => ({
  ...{ level: 'fail', name, sentence, advice },
})

/** Returns what a look at a part finds; a look that fails finds the part broken. */
export async function found(
  name: string,
  advice: string,
  look: () => Finding | Promise<Finding>,
): Promise<Finding> {
  try {
    return await look()
  } catch (error) {
    return fail(name, sentenceOf(error), advice)
  }
}

// The messages of other errors quote addresses, and those may hold passwords.
function sentenceOf(error: unknown): string {
  if (isFailure(error)) return error.message
  const { code, name } = error as { readonly code?: unknown; readonly name?: string }
  return `It failed (${code ?? name}).`
}

/** Returns a finding as one line of text. */
export function lineOf({ level, name, sentence, advice }: Finding): string {
  const line = `${level.padEnd(4)}  ${name.padEnd(16)}  ${sentence}`
  return advice === undefined ? line : `${line}  — ${advice}`
}
