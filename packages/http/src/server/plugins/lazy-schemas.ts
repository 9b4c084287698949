import ajvCompiler from '@fastify/ajv-compiler'
import serializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

const compileSerializer = serializerCompiler()

const serializerFactory: ReturnType<typeof serializerCompiler> = (schemas, options) => {
  const compile = compileSerializer(schemas, options)
  return (route) => compile({ ...route, schema: nullableSchema(route.schema) })
}

/**
 * Compiles the validator and the serializer of a route at its first use. Compiling all of them is
 * the largest part of a start-up, and most servers use few of them.
 */
export const lazySchemas: Required<FastifyServerOptions>['schemaController'] = {
  compilersFactory: {
    buildValidator: lazyCompiler(ajvCompiler()),
    buildSerializer: lazyCompiler(serializerFactory),
  },
}

type Compiled = ((value: unknown) => unknown) & { errors?: unknown }
type Factory = (schemas: unknown, options: unknown) => (route: unknown) => Compiled

function lazyCompiler<Compiler>(compiler: Compiler): Compiler {
  const factory: Factory = (schemas, options) => {
    let compile: ReturnType<Factory> | undefined
    return (route) => {
      let compiled: Compiled | undefined
      // A validator that fails has its errors in a member.
      const lazy: Compiled = (value) => {
        compile ??= (compiler as Factory)(schemas, options)
        compiled ??= compile(route)
        const outcome = compiled(value)
        lazy.errors = compiled.errors
        return outcome
      }
      return lazy
    }
  }
  return factory as Compiler
}

type Schema = Readonly<Record<string, unknown>>

/**
 * Returns a schema with the same JSON, in which each union of a schema with null is that schema
 * marked as nullable. The serializer of Fastify compiles a validator for each member of a union,
 * and runs it on each value; a mark costs nothing.
 */
export function nullableSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(nullableSchema)
  if (!isObject(schema)) return schema
  const member = memberBesideNull(schema)
  if (member !== undefined) return { ...(nullableSchema(member) as Schema), nullable: true }
  return Object.fromEntries(Object.entries(schema).map(([key, it]) => [key, nullableSchema(it)]))
}

/** Returns the schema that a union joins with null; `undefined` if it is no such union. */
function memberBesideNull({ anyOf }: Schema): Schema | undefined {
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return undefined
  const [member, other] = anyOf as readonly Schema[]
  // Without a type of its own, a member may be a union again, which cannot be marked.
  return other?.type === 'null' && typeof member?.type === 'string' ? member : undefined
}

const isObject = (value: unknown): value is Schema => typeof value === 'object' && value !== null
