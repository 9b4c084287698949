import type { Log } from '../indexer/logs.ts'

/** The arguments of a log by their names, each 64 hexadecimal digits. */
export type LogWords = Log['words']

const wordOf = (words: LogWords, name: string): string => words[name] ?? '0'.repeat(64)

/** Reads a number argument. */
export const numberIn = (words: LogWords, name: string): number =>
  Number(`0x${wordOf(words, name)}`)

/** Reads an amount argument. */
export const amountIn = (words: LogWords, name: string): bigint =>
  BigInt(`0x${wordOf(words, name)}`)

/** Reads a hash argument. */
export const hashIn = (words: LogWords, name: string): string => `0x${wordOf(words, name)}`

/** Reads an account argument, in lower case. */
export const accountIn = (words: LogWords, name: string): string =>
  `0x${wordOf(words, name).slice(24)}`
