import type { Change } from './change.ts'

/** Returns changes as the text of a JSON Patch (RFC 6902), one operation on a line. */
export function printPatch(changes: readonly Change[]): string {
  return changes.length === 0 ? '[]' : `[\n${changes.map(printOperation).join(',\n')}\n]`
}

function printOperation(change: Change): string {
  const path = JSON.stringify(change.kind === 'removed' ? change.pathInPatch : change.path)
  if (change.kind === 'added') return `{"op":"add","path":${path},"value":${change.value}}`
  if (change.kind === 'removed') return `{"op":"remove","path":${path}}`
  if (change.kind === 'changed') return `{"op":"replace","path":${path},"value":${change.after}}`
  // To its own place: RFC 6902 removes the member and adds it, which puts it behind the others.
  return `{"op":"move","from":${path},"path":${path}}`
}
