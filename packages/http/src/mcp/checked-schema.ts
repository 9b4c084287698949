import { fromJsonSchema, type jsonSchemaValidator } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { TObject } from '@sinclair/typebox'
import { patternMessages } from '../api/problem.ts'

type Arguments = Record<string, unknown>
type Checked = ReturnType<typeof fromJsonSchema<Arguments>>

const known = new WeakMap<TObject, Checked>()

/** Returns a schema as the SDK takes it, the same one each time: servers are made per request. */
export function checkedSchema(schema: TObject): Checked {
  const made = known.get(schema) ?? fromJsonSchema<Arguments>(schema as object, lazily)
  known.set(schema, made)
  return made
}

const validator = new AjvJsonSchemaValidator()

// A session uses few of the tools, and compiling what all of them take and give is half its start.
const lazily: jsonSchemaValidator = {
  getValidator: <T>(schema: Parameters<jsonSchemaValidator['getValidator']>[0]) => {
    let check: ReturnType<typeof validator.getValidator<T>> | undefined
    return (input: unknown) => {
      check ??= validator.getValidator<T>(schema)
      const result = check(input)
      return result.valid ? result : { ...result, errorMessage: inWords(result.errorMessage) }
    }
  },
}

function inWords(message: string): string {
  return Object.entries(patternMessages).reduce(
    (text, [pattern, words]) => text.replaceAll(`must match pattern "${pattern}"`, words),
    message,
  )
}
