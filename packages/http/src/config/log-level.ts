import { type Environment, readText, wrongValue } from './environment.ts'

/** The levels of the log. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Returns the configured level of the log, `info` by default. @throws `config/invalid` */
export function readLogLevel(env: Environment): LogLevel {
  const text = readText(env, 'LOG_LEVEL') ?? 'info'
  const level = logLevels.find((candidate) => candidate === text)
  if (level === undefined)
    throw wrongValue('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`, text)
  return level
}
