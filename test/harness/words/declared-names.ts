import { parseAst } from 'vite'

/** A name that a source declares, and its offset there. */
export type DeclaredName = { readonly name: string; readonly start: number }

type Node = { readonly type: string; readonly start: number; readonly [member: string]: unknown }

/**
 * Returns the names of the functions, variables, types, classes and parameters that a source
 * declares. Omits shorthand properties of patterns, whose names belong to the declaration of the
 * object.
 */
export function declaredNames(file: string, text: string): readonly DeclaredName[] {
  const lang = file.endsWith('.tsx') ? 'tsx' : 'ts'
  const found: DeclaredName[] = []
  visit(parseAst(text, { lang }), (node) => {
    for (const binding of bindingsOf(node)) found.push(...namesIn(binding))
  })
  return found
}

/** Calls a function for every node of a syntax tree. */
function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return
  if (isNode(value)) onNode(value)
  for (const part of Object.values(value)) visit(part, onNode)
}

const isNode = (value: object): value is Node => 'type' in value && typeof value.type === 'string'

/** Returns the identifiers and patterns that a node declares. */
function bindingsOf(node: Node): readonly unknown[] {
  const { type, id, params, param, name, local, imported } = node
  if (type === 'CatchClause') return [param]
  if (type === 'TSTypeParameter') return [name]
  if (type === 'ImportSpecifier') return isSame(local, imported) ? [] : [local]
  return [...(type === 'ImportExpression' ? [] : [id]), ...(Array.isArray(params) ? params : [])]
}

const isSame = (one: unknown, other: unknown) => Object(one).name === Object(other).name

/** Returns the names in an identifier or a pattern. */
function namesIn(value: unknown): readonly DeclaredName[] {
  if (typeof value !== 'object' || value === null) return []
  const node = value as Node
  if (node.type === 'Identifier') return [{ name: String(node.name), start: node.start }]
  const parts = partsOf[node.type]?.(node) ?? []
  return parts.flatMap(namesIn)
}

const partsOf: Readonly<Record<string, (node: Node) => readonly unknown[]>> = {
  ObjectPattern: ({ properties }) => properties as readonly unknown[],
  Property: ({ value, shorthand }) => (shorthand ? [] : [value]),
  ArrayPattern: ({ elements }) => elements as readonly unknown[],
  RestElement: ({ argument }) => [argument],
  AssignmentPattern: ({ left }) => [left],
  TSParameterProperty: ({ parameter }) => [parameter],
}
