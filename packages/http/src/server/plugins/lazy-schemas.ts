import ajvCompiler from '@fastify/ajv-compiler'
import serializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'
import { nullableSchema } from './nullable-schema.ts'

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
