import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { printSchema, type Schema } from './print-schema.ts'

/** A node of a type in the syntax tree of a module of declarations. */
export type TypeNode = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly typeName?: { readonly name: string }
  readonly typeArguments?: { readonly params: readonly TypeNode[] } | null
  readonly exprName?: { readonly name: string }
  readonly objectType?: TypeNode
  readonly indexType?: TypeNode
  readonly types?: readonly TypeNode[]
  readonly literal?: { readonly value: unknown }
}

/** The types of a module of declarations, and where it imports values from. */
export type TypeModule = {
  readonly path: string
  readonly text: string
  readonly aliases: ReadonlyMap<string, TypeNode>
  readonly origins: ReadonlyMap<
    string,
    { readonly module: string; readonly name?: string | undefined }
  >
}

/** A type that is derived from a schema, and whether clients send it. */
type Derived = { readonly schema: Schema; readonly isInput: boolean }

/** The helper types of the client that derive a type from a schema, and whether clients send it. */
const helpers: Readonly<Record<string, boolean>> = { ReadonlyStatic: false, InputOf: true }

/** Returns the text of a type, with each part that is derived from a schema expanded. */
export function expandType(node: TypeNode, module: TypeModule): string {
  const expand = createExpander(module)
  const parts: string[] = []
  let at = node.start
  for (const { start, end, text } of expand(node)) {
    parts.push(module.text.slice(at, start), text)
    at = end
  }
  return parts.join('') + module.text.slice(at, node.end)
}

type Replacement = { readonly start: number; readonly end: number; readonly text: string }

function createExpander(module: TypeModule) {
  const names = namesOf(module)
  const expand = (node: TypeNode): readonly Replacement[] => {
    const derived = isAlias(node, module) ? undefined : derive(node, module)
    if (derived === undefined) return childrenOf(node).flatMap(expand)
    const { schema, isInput } = derived
    return [{ start: node.start, end: node.end, text: printSchema(schema, { names, isInput }) }]
  }
  return expand
}

/** Returns the names of the schemas that a type of the module is derived from. */
function namesOf(module: TypeModule): ReadonlyMap<Schema, string> {
  const named = [...module.aliases].flatMap(([name, node]) => {
    const derived = derive(node, module)
    return derived === undefined || derived.isInput ? [] : [[derived.schema, name] as const]
  })
  return new Map(named)
}

function isAlias({ typeName, typeArguments }: TypeNode, { aliases }: TypeModule): boolean {
  return typeName !== undefined && !typeArguments && aliases.has(typeName.name)
}

function childrenOf(node: object): readonly TypeNode[] {
  return Object.values(node)
    .flat()
    .flatMap((value: unknown) => {
      if (typeof value !== 'object' || value === null) return []
      return isNode(value) ? [value] : childrenOf(value)
    })
}

const isNode = (value: object): value is TypeNode => 'type' in value && 'start' in value

/** Returns the schema that a type is derived from, or `undefined` when there is none. */
function derive(node: TypeNode, module: TypeModule): Derived | undefined {
  const { typeName, typeArguments, objectType, indexType } = node
  if (objectType && indexType) return deriveIndexed(derive(objectType, module), indexType)
  if (typeName === undefined) return undefined
  const { name } = typeName
  const [first, second] = typeArguments?.params ?? []
  if (first === undefined) {
    const alias = module.aliases.get(name)
    return alias && derive(alias, module)
  }
  const isInput = helpers[name]
  if (isInput !== undefined) return { schema: schemaOf(first, module), isInput }
  return utilities[name]?.(derive(first, module), second)
}

type Utility = (derived: Derived | undefined, keys?: TypeNode) => Derived | undefined

const utilities: Readonly<Record<string, Utility>> = {
  NonNullable: (derived) => {
    const members = derived?.schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
    const [only = {}] = members
    return derived && { ...derived, schema: members.length === 1 ? only : { anyOf: members } }
  },
  Pick: (derived, keys) => select(derived, (name) => keysOf(keys).includes(name)),
  Omit: (derived, keys) => select(derived, (name) => !keysOf(keys).includes(name)),
}

function select(derived: Derived | undefined, accepts: (name: string) => boolean) {
  if (derived === undefined) return undefined
  const fields = Object.entries(derived.schema.properties ?? {})
  const properties = Object.fromEntries(fields.filter(([name]) => accepts(name)))
  return { ...derived, schema: { ...derived.schema, properties } }
}

function keysOf(node: TypeNode | undefined): readonly unknown[] {
  return node?.types?.flatMap(keysOf) ?? [node?.literal?.value]
}

function deriveIndexed(derived: Derived | undefined, index: TypeNode): Derived | undefined {
  const [name] = keysOf(index)
  const schema =
    typeof name === 'string' ? derived?.schema.properties?.[name] : derived?.schema.items
  return derived && schema && { ...derived, schema }
}

/** Loads the schema that `typeof` names, from the module compiled beside the declarations. */
function schemaOf({ exprName }: TypeNode, { path, origins }: TypeModule): Schema {
  const name = exprName?.name ?? ''
  const origin = origins.get(name)
  if (origin === undefined) throw new Error(`${path} does not import ${name}.`)
  const load = createRequire(path)
  const file = join(dirname(path), origin.module.replace(/\.ts$/, '.js'))
  return load(file)[origin.name ?? name]
}
