import ajvCompiler from '@fastify/ajv-compiler'
import serializerCompiler from '@fastify/fast-json-stringify-compiler'
import type { FastifyServerOptions } from 'fastify'

/**
 * Compiles what a route checks and prints with when it is first used. All of them together are the
 * largest part of what a start computes, and most servers never use most of them.
 */
export const lazySchemas: Required<FastifyServerOptions>['schemaController'] = {
  compilersFactory: {
    buildValidator: lazily(ajvCompiler()),
    buildSerializer: lazily(serializerCompiler()),
  },
}

type Compiled = ((value: unknown) => unknown) & { errors?: unknown }
type Factory = (schemas: unknown, options: unknown) => (route: unknown) => Compiled

function lazily<Compiler>(compiler: Compiler): Compiler {
  const factory: Factory = (schemas, options) => {
    let compile: ReturnType<Factory> | undefined
    return (route) => {
      let compiled: Compiled | undefined
      // A check that fails tells why in a member of its own.
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
