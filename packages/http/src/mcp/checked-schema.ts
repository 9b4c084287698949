import { fromJsonSchema, type jsonSchemaValidator } from '@modelcontextprotocol/server'
import { Ajv, AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import type { TObject } from '@sinclair/typebox'
import { withoutUnits } from './arguments/amounts.ts'
import { coerce } from './arguments/coerce.ts'
import { explain } from './arguments/explain.ts'

type Arguments = Record<string, unknown>
type Checked = ReturnType<typeof fromJsonSchema<Arguments>>

const cache = new WeakMap<TObject, Checked>()

/** Converts a schema for the SDK; cached, because each request creates a server. */
export function checkedSchema(schema: TObject): Checked {
  const checked = cache.get(schema) ?? fromJsonSchema<Arguments>(schema as object, lazyValidator)
  cache.set(schema, checked)
  return checked
}

// Stops at the first error: a stranger can send thousands of wrong members.
const validator = new AjvJsonSchemaValidator(new Ajv({ strict: false, validateSchema: false }))

// Compiles each schema at its first use; compiling all of them would double the start-up time.
const lazyValidator: jsonSchemaValidator = {
  getValidator: <T>(schema: Parameters<jsonSchemaValidator['getValidator']>[0]) => {
    let check: ReturnType<typeof validator.getValidator<T>> | undefined
    const of = schema as TObject
    return (input: unknown) => {
      check ??= validator.getValidator<T>(schema)
      const coerced = coerce(of, input)
      const result = check(coerced)
      return result.valid
        ? { ...result, data: withoutUnits(of, coerced) as T }
        : { ...result, errorMessage: explain(of, result.errorMessage, coerced) }
    }
  },
}
