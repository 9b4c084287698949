import { readFileSync } from 'node:fs'
import { parseAst } from 'vite'
import type { TypeModule, TypeNode } from './expand-types.ts'

/** A part of the text of a module. */
export type Span = { readonly start: number; readonly end: number }

/** Describes what has a name in a syntax tree. */
export type Named = { readonly name: string }

/** A declaration in a module of declarations. */
export type Declaration = Span & {
  readonly type: string
  readonly id?: Named
  readonly declarations?: readonly { readonly id: Named }[]
  readonly typeAnnotation?: TypeNode
}

/** A statement of a module of declarations. */
export type Statement = Span & {
  readonly type: string
  readonly source?: { readonly value: string }
  readonly declaration?: Declaration
  readonly specifiers?: readonly {
    readonly local: Named
    readonly exported?: Named
    readonly imported?: Named
  }[]
}

/** A module of declarations with its statements. */
export type ParsedModule = TypeModule & { readonly statements: readonly Statement[] }

/** Parses a module of declarations. */
export function readTypeModule(path: string): ParsedModule {
  const text = readFileSync(path, 'utf8')
  const statements = parseAst(text, { lang: 'dts' }).body as unknown as readonly Statement[]
  return { path, text, statements, aliases: aliasesOf(statements), origins: originsOf(statements) }
}

function originsOf(statements: readonly Statement[]): TypeModule['origins'] {
  const imports = statements.filter(({ type }) => type === 'ImportDeclaration')
  return new Map(
    imports.flatMap(({ source, specifiers = [] }) =>
      specifiers.map(({ local, imported }) => [
        local.name,
        { module: source?.value ?? '', name: imported?.name },
      ]),
    ),
  )
}

/** Returns the type aliases of a module by name, exported or not. */
function aliasesOf(statements: readonly Statement[]): ReadonlyMap<string, TypeNode> {
  return new Map(
    statements
      .map(declarationOf)
      .flatMap(({ type, id, typeAnnotation }) =>
        type === 'TSTypeAliasDeclaration' && typeAnnotation
          ? [[id?.name ?? '', typeAnnotation]]
          : [],
      ),
  )
}

/** Returns the declaration that a statement exports or is. */
const declarationOf = (statement: Statement): Declaration => statement.declaration ?? statement
