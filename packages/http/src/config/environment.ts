import { resolve } from 'node:path'
import { Failure, type Wei, wei } from '@heirloom/core'
import { closestName } from '../api/nearest-name.ts'
import { shownValue } from '../api/shown-value.ts'
import { type SettingName, settingNames, settingOf } from './settings.ts'

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
export function readText(env: Environment, name: SettingName): string | undefined {
  return env[name]?.trim() || undefined
}

type NamesWith<Value> = {
  [N in SettingName]: ReturnType<typeof settingOf<N>> extends { readonly fallback: Value }
    ? N
    : never
}[SettingName]

/** The settings whose default is `true` or `false`. */
type FlagName = NamesWith<boolean>
/** The settings whose default is a number. */
type CountName = NamesWith<number>

/** Returns the default of a setting, on a server that only this machine reaches or on another one. */
function defaultOf<T>(
  setting: { readonly fallback: T; readonly ifLocal?: T },
  isLocal: boolean,
): T {
  const { fallback, ifLocal = fallback } = setting
  return isLocal ? ifLocal : fallback
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
export function readFlag(env: Environment, name: FlagName, isLocal = false): boolean {
  return readChoice(env, name) ?? defaultOf(settingOf(name), isLocal)
}

/**
 * Reads a variable that is `true` or `false`, or unset where that is a choice of its own.
 *
 * @throws `config/invalid`
 */
export function readChoice(env: Environment, name: SettingName): boolean | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  if (text === 'true' || text === 'false') return text === 'true'
  throw wrongValue(name, 'must be true or false', text)
}

/** A setting that is a whole number, with its least and its largest value. */
type Range<N extends SettingName = SettingName> = {
  readonly name: N
  readonly min: number
  readonly max: number
}

/**
 * Reads a variable that is a whole number; returns its default where it is unset.
 *
 * @throws `config/invalid`
 */
export function readCount(env: Environment, range: Range<CountName>, isLocal = false): number {
  return readInteger(env, range) ?? defaultOf(settingOf(range.name), isLocal)
}

/**
 * Reads a variable that is a whole number; returns `undefined` where it is unset.
 *
 * @throws `config/invalid`
 */
export function readInteger(env: Environment, { name, min, max }: Range): number | undefined {
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
export function readWei(env: Environment, name: SettingName): Wei | undefined {
  const text = readText(env, name)
  if (text === undefined) return undefined
  if (/^(0|[1-9][0-9]{0,77})$/.test(text) && BigInt(text) < 2n ** 256n) return wei(text)
  throw wrongValue(name, 'must be a whole number of wei', text)
}

/** Returns the absolute path of a module, or the name of a package; `undefined` if a text is neither. */
export function moduleOf(text: string): string | undefined {
  if (/^\.{0,2}\//.test(text)) return resolve(text)
  return packageName.test(text) ? text : undefined
}

/** The name of a package, or of one of its entrances. */
const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(\/[\w./-]+)?$/

/** A shorter name is one letter away from another one by chance. */
const shortest = 5

/**
 * Returns a sentence for each variable that nothing reads and whose name is one letter away from that
 * of a setting, or differs in singular and plural: the setting would have its default unseen.
 */
export function misspeltVariables(env: Environment): readonly string[] {
  return Object.keys(env).flatMap((name) => {
    const meant = settingNames.includes(name) ? undefined : nearest(name)
    return meant === undefined ? [] : [`${name} is set, and is no setting; ${meant} is one.`]
  })
}

function nearest(name: string): string | undefined {
  if (name.length < shortest || name.length > 64) return undefined
  const alike = settingNames.find((it) => singular(it) === singular(name))
  return alike ?? closestName(name, settingNames, 1)
}

const singular = (name: string) => name.replace(/IES$/, 'Y').replace(/S$/, '')

/** Returns the data folder of a server on this machine. */
export const dataDirOf = (env: Environment): string =>
  readText(env, 'DATA_DIR') ?? settingOf('DATA_DIR').fallback
