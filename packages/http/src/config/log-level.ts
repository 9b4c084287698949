import { type Environment, invalid, value } from './environment.ts'

/** The levels that a log can be limited to. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Returns the configured level of the log, `info` by default. @throws `config/invalid` */
export function readLogLevel(env: Environment): LogLevel {
  const text = value(env, 'LOG_LEVEL') ?? 'info'
  const level = logLevels.find((candidate) => candidate === text)
  if (level === undefined) throw invalid('LOG_LEVEL', `must be one of ${logLevels.join(', ')}`)
  return level
}
