import type { Node } from '../../solc.ts'

/** A change of the source: its start in bytes, the text before and the text after. */
export type Edit = {
  readonly operator: string
  readonly start: number
  readonly before: string
  readonly after: string
}

/** Reads the text of a node, or of a range of bytes. */
export type Reader = {
  of(node: Node): string
  between(start: number, end: number): string
}

type Operator = (node: Node, text: Reader) => readonly Edit[]

/** Returns the range of a node in its file, in bytes. */
export function rangeOf({ src }: Node): { readonly start: number; readonly end: number } {
  const [start = 0, length = 0] = src.split(':').map(Number)
  return { start, end: start + length }
}

/** Returns every change of any operator at a node. */
export function editsAt(node: Node, text: Reader): readonly Edit[] {
  return (operators[node.nodeType] ?? []).flatMap((operator) => operator(node, text))
}

const rivals: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['/'],
  '<<': ['>>'],
  '>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '++': ['--'],
  '--': ['++'],
  '!': [''],
  '+=': ['-=', '='],
  '-=': ['+=', '='],
  '/=': ['*='],
}

const ordered = new Set(['-', '/', '%', '<<', '>>'])

const replaceBinary: Operator = (node, text) => {
  const [left, right, sign] = [
    child(node, 'leftExpression'),
    child(node, 'rightExpression'),
    signOf(node),
  ]
  const [a, b] = [text.of(left), text.of(right)]
  const replaced = (rivals[sign] ?? []).map((rival) =>
    replace(`${sign} to ${rival}`, node, text, `${a} ${rival} ${b}`),
  )
  if (!ordered.has(sign)) return replaced
  return [...replaced, replace('swap operands', node, text, `${b} ${sign} ${a}`)]
}

const replaceUnary: Operator = (node, text) => {
  const sign = signOf(node)
  const operand = text.of(child(node, 'subExpression'))
  return (rivals[sign] ?? []).map((rival) =>
    replace(`${sign} to ${rival || 'nothing'}`, node, text, `${rival}${operand}`),
  )
}

const replaceAssignment: Operator = (node, text) => {
  const [left, right, sign] = [
    child(node, 'leftHandSide'),
    child(node, 'rightHandSide'),
    signOf(node),
  ]
  return (rivals[sign] ?? []).map((rival) =>
    replace(`${sign} to ${rival}`, node, text, `${text.of(left)} ${rival} ${text.of(right)}`),
  )
}

const negate: Operator = (node, text) => {
  const condition = child(node, 'condition')
  // `replaceBinary` already negates comparisons.
  if (condition.nodeType === 'BinaryOperation' && !['&&', '||'].includes(signOf(condition)))
    return []
  return [replace('negate condition', condition, text, `!(${text.of(condition)})`)]
}

const dropStatement: Operator = (node, text) => {
  const { start, end } = rangeOf(node)
  const closed = text.between(end, end + 1) === ';'
  const before = text.between(start, closed ? end + 1 : end)
  // The step of a loop has no semicolon and may be empty.
  const after = closed || before.endsWith('}') || node.nodeType.startsWith('Yul') ? '{}' : ''
  return [{ operator: 'drop statement', start, before, after }]
}

const dropGuard: Operator = (node, text) =>
  child(node, 'trueBody').nodeType === 'RevertStatement' ? dropStatement(node, text) : []

const dropModifier: Operator = (node, text) =>
  node.kind === 'modifierInvocation' ? [replace('drop modifier', node, text, '')] : []

const neighbour: Operator = (node, text) => {
  const literal = text.of(node)
  if (node.kind === 'bool')
    return [replace('flip truth', node, text, literal === 'true' ? 'false' : 'true')]
  if (node.kind === 'string')
    return literal === '""' ? [] : [replace('empty text', node, text, '""')]
  if (node.kind === 'hexString') return []
  const [digits = '', ...unit] = literal.split(' ')
  const value = BigInt(digits.replaceAll('_', ''))
  const values = value === 0n ? [1n] : [value + 1n, value - 1n]
  return values.map((number) =>
    replace('neighbour of constant', node, text, [number, ...unit].join(' ')),
  )
}

/** Returns an operator that swaps neighbours which the compiler accepts in either order. */
function swap(key: string, areInterchangeable: (a: Node, b: Node) => boolean): Operator {
  return (node, text) => {
    const items = children(node, key)
    return items.flatMap((left, index) => {
      const right = items[index + 1]
      if (!right || !areInterchangeable(left, right) || text.of(left) === text.of(right)) return []
      const [{ start, end }, { start: from, end: to }] = [rangeOf(left), rangeOf(right)]
      const before = text.between(start, to)
      const after = text.of(right) + text.between(end, from) + text.of(left)
      return [{ operator: 'swap neighbours', start, before, after }]
    })
  }
}

const swapArguments = swap('arguments', (a, b) => typeOf(a) === typeOf(b))
const swapComponents = swap('components', (a, b) => typeOf(a) === typeOf(b))
const swapYulArguments = swap(
  'arguments',
  (a, b) => a.nodeType !== 'YulLiteral' && b.nodeType !== 'YulLiteral',
)

const impersonate: Operator = (node, text) =>
  text.of(node) === 'msg.sender' ? [replace('sender to origin', node, text, 'tx.origin')] : []

const operators: Readonly<Record<string, readonly Operator[]>> = {
  BinaryOperation: [replaceBinary],
  UnaryOperation: [replaceUnary],
  Assignment: [replaceAssignment],
  IfStatement: [negate, dropGuard],
  Conditional: [negate],
  ForStatement: [negate],
  ExpressionStatement: [dropStatement],
  EmitStatement: [dropStatement],
  Return: [dropStatement],
  YulExpressionStatement: [dropStatement],
  YulAssignment: [dropStatement],
  ModifierInvocation: [dropModifier],
  Literal: [neighbour],
  YulLiteral: [neighbour],
  FunctionCall: [swapArguments],
  TupleExpression: [swapComponents],
  YulFunctionCall: [swapYulArguments],
  MemberAccess: [impersonate],
}

function replace(operator: string, node: Node, text: Reader, after: string): Edit {
  return { operator, start: rangeOf(node).start, before: text.of(node), after }
}

/** Returns the child nodes of a node, of one key or of all. */
export function children(node: Node, key?: string): readonly Node[] {
  const values = key === undefined ? Object.values(node) : [node[key]]
  return values.flat().filter(isNode)
}

function child(node: Node, key: string): Node {
  const [only] = children(node, key)
  if (!only) throw new Error(`${node.nodeType} has no ${key}.`)
  return only
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'nodeType' in value && 'src' in value
}

function signOf(node: Node): string {
  return String(node.operator)
}

function typeOf(node: Node): unknown {
  const { typeString } = (node.typeDescriptions ?? {}) as { readonly typeString?: string }
  return typeString
}
