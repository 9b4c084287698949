import type { Omission } from '../../import-report.ts'

/** The most names that are listed of one kind of files. */
const most = 5

/** Reports the files of an export that are not imported, by their endings. */
export function describeOthers(paths: readonly string[]): readonly Omission[] {
  const kinds = new Map<string, string[]>()
  for (const path of paths) {
    const kind = /\.([a-z0-9]{1,8})$/i.exec(path)?.[1]?.toLowerCase() ?? ''
    const same = kinds.get(kind)
    if (same === undefined) kinds.set(kind, [path])
    else same.push(path)
  }
  return [...kinds].map(([kind, names]) => ({ what: describeNames(names), why: whyLeft(kind) }))
}

function describeNames(names: readonly string[]): string {
  const listed = names.slice(0, most).map((name) => name.slice(0, 100))
  const more = names.length - listed.length
  return more === 0 ? listed.join(', ') : `${listed.join(', ')} and ${more} more`
}

function whyLeft(kind: string): string {
  if (kind === 'html') return 'it shows what the other files have'
  if (kind === 'json') return 'it is about the account, not a conversation'
  if (kind === 'zip') return 'it is an archive in an archive; import it by itself'
  return 'only conversations, projects and memories are imported'
}
