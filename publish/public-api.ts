import { dirname, join } from 'node:path'
import { elsewhere } from './elsewhere.ts'
import { expandType, type TypeModule } from './expand-types.ts'
import { type Declaration, readTypeModule, type Statement } from './type-module.ts'

/** Describes what somebody can import by one name: all its declarations, such as a function and its types. */
export type Exported = {
  readonly name: string
  readonly kind: 'function' | 'value' | 'type'
  /** The text of its docstring; absent when it has none. */
  readonly doc: string | undefined
  readonly declarations: readonly string[]
}

/** Returns what a module of declarations exports, by name. */
export function publicApi(path: string): ReadonlyMap<string, Exported> {
  const module = readTypeModule(path)
  const { text, statements, origins } = module
  const found = new Map<string, Exported>()
  for (const [index, statement] of statements.entries()) {
    const doc = docIn(text.slice(statements[index - 1]?.end ?? 0, statement.start))
    const own = statement.declaration ? [declared(statement.declaration, doc, module)] : []
    const others = passedOn(statement, origins).flatMap((origin) => taken(origin, path))
    for (const one of [...own, ...others]) found.set(one.name, joined(found.get(one.name), one))
  }
  return found
}

/** Returns what a module exports of another one. */
function taken({ module, name, as }: PassedOn, path: string): readonly Exported[] {
  const all = publicApi(pathOf(module, path))
  if (name === undefined) return [...all.values()]
  const one = all.get(name)
  return one === undefined ? [] : [{ ...one, name: as ?? name }]
}

/** Returns the declarations of a module that another one passes on. */
function pathOf(module: string, from: string): string {
  const known = elsewhere[module]
  if (known === undefined) return join(dirname(from), module.replace(/\.ts$/, '.d.ts'))
  return join(from.slice(0, from.lastIndexOf('/packages/')), 'packages', known)
}

/** Describes where something comes from; without a name, everything there. */
type PassedOn = {
  readonly module: string
  readonly name?: string | undefined
  readonly as?: string
}

/** Returns what a statement exports of other modules. */
function passedOn(
  { type, source, specifiers = [] }: Statement,
  imports: TypeModule['origins'],
): readonly PassedOn[] {
  const module = source?.value
  if (type === 'ExportAllDeclaration') return [{ module: module ?? '', name: undefined }]
  if (type !== 'ExportNamedDeclaration') return []
  return specifiers.flatMap(({ local, exported = local }) => {
    const from = module === undefined ? imports.get(local.name) : { module, name: local.name }
    return from === undefined ? [] : [{ ...from, as: exported.name }]
  })
}

function declared(declaration: Declaration, doc: string | undefined, module: TypeModule): Exported {
  const name = declaration.id?.name ?? declaration.declarations?.[0]?.id.name ?? ''
  const kinds: Readonly<Record<string, Exported['kind']>> = {
    TSDeclareFunction: 'function',
    VariableDeclaration: 'value',
    ClassDeclaration: 'value',
  }
  const kind = kinds[declaration.type] ?? 'type'
  const whole = textOf(declaration, module)
  // A value that is given no content is no sentence of TypeScript without the word.
  const body = kind === 'value' ? whole : whole.replace(/^declare /, '')
  return { name, kind, doc, declarations: [body] }
}

/** Returns the text of a declaration, with the types that are derived from schemas expanded. */
function textOf({ start, end, typeAnnotation }: Declaration, module: TypeModule): string {
  if (typeAnnotation === undefined) return module.text.slice(start, end)
  const [before, after] = [
    module.text.slice(start, typeAnnotation.start),
    module.text.slice(typeAnnotation.end, end),
  ]
  return before + expandType(typeAnnotation, module) + after
}

/** Joins the declarations of one name; a function or a value says more than its types. */
function joined(first: Exported | undefined, second: Exported): Exported {
  if (first === undefined) return second
  return {
    ...(first.kind === 'type' ? second : first),
    doc: first.doc ?? second.doc,
    declarations: [...first.declarations, ...second.declarations],
  }
}

function docIn(between: string): string | undefined {
  const [, inner] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(between) ?? []
  return inner?.replace(/^ *\* ?/gm, '').trim()
}
