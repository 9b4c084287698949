import { UsageError } from './usage-error.ts'

/** Reads the category of a memory, which is any text but an empty one. @throws a `UsageError` */
export function readCategory(option: string, text: string): string {
  if (text.trim() !== '') return text
  throw new UsageError(`${option} must not be empty.`)
}
