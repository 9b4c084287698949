import { Failure, type Wei, wei } from '@heirloom/core'
import { shownValue } from '../api/shown-value.ts'

/** The environment variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the failure for a variable. It names the variable and not its value, which may be secret. */
export function invalidVariable(name: string, problem: string): Failure<'config/invalid'> {
  return new Failure('config/invalid', { name, problem })
}

/** Returns the failure for a variable that is no secret. It repeats a short value. */
export const wrongValue = (name: string, problem: string, text: string) =>
  invalidVariable(name, `${problem}${shownValue(text)}`)

/** Reads a variable; returns `undefined` if it is unset or empty. */
export function readText(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Splits a comma list. */
export function splitList(text = ''): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/**
 * Reads a variable that is `true` or `false`.
 *
 * @throws `config/invalid`
 */
export function readFlag(env: Environment, name: string, fallback = false): boolean {
  const text = readText(env, name) ?? String(fallback)
  if (text === 'true' || text === 'false') return text === 'true'
  throw wrongValue(name, 'must be true or false', text)
}

/**
 * Reads a variable that is `true` or `false`, or unset where that is a choice of its own.
 *
 * @throws `config/invalid`
 */
export function readChoice(env: Environment, name: string): boolean | undefined {
  return readText(env, name) === undefined ? undefined : readFlag(env, name)
}

/**
 * Reads a variable that is a whole number.
 *
 * @throws `config/invalid`
 */
export function readInteger(
  env: Environment,
  { name, min, max }: { readonly name: string; readonly min: number; readonly max: number },
): number | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  const number = /^[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw wrongValue(name, `must be a whole number from ${min} to ${max}`, text)
}

/**
 * Reads a variable that is an amount in wei.
 *
 * @throws `config/invalid`
 */
export function readWei(env: Environment, name: string): Wei | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  if (/^(0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) < 2n ** 256n) return wei(text)
  throw wrongValue(name, 'must be a whole number of wei', text)
}
