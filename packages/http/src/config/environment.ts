import { Failure, type Wei, wei } from '@heirloom/core'

/** The variables that a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the failure of a variable, which names it and never its value. */
export function invalid(name: string, problem: string): Failure<'config/invalid'> {
  return new Failure('config/invalid', { name, problem })
}

/** Returns the text of a variable; nothing where it is unset or empty. */
export function value(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Returns the members of a comma list. */
export function items(text = ''): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * Reads a variable that is true or false; `usual` where it is unset.
 *
 * @throws `config/invalid`
 */
export function flag(env: Environment, name: string, usual = false): boolean {
  const text = value(env, name) ?? String(usual)
  if (text === 'true' || text === 'false') return text === 'true'
  throw invalid(name, 'must be true or false')
}

/**
 * Reads a variable that is a whole number.
 *
 * @throws `config/invalid`
 */
export function integer(
  env: Environment,
  { name, least, most }: { readonly name: string; readonly least: number; readonly most: number },
): number | undefined {
  const text = value(env, name)
  if (text === undefined) return undefined
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw invalid(name, `must be a whole number from ${least} to ${most}`)
}

/**
 * Reads a variable that is an amount in wei.
 *
 * @throws `config/invalid`
 */
export function readLimit(env: Environment, name: string): Wei | undefined {
  const text = value(env, name)
  if (text === undefined) return undefined
  if (/^(0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) < 2n ** 256n) return wei(text)
  throw invalid(name, 'must be a whole number of wei')
}
