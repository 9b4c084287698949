import {
  type Finding,
  type FindingKind,
  findingKinds,
  isHeld,
  type Match,
  type Scan,
  safeExcerpt,
} from './finding.ts'
import type { StringPlace } from './walk-strings.ts'

/** The most findings of one kind, so that a flood of one cannot hide another, and the most strings. */
const bounds = { ofKind: 25, strings: 10_000 }

export declare namespace collector {
  type Found = {
    readonly place: StringPlace
    readonly text: string
    readonly pointer: () => string
    readonly match: Match
  }
}

/** Creates what collects the findings of a scan, within bounds. */
export function collector() {
  const findings: Finding[] = []
  const counts: Partial<Record<FindingKind, number>> = {}
  const held = new Map<number, { end: number; kinds: Set<FindingKind> }>()
  let isAllHeld = false
  const hold = ({ at, end }: StringPlace, kind: FindingKind) => {
    const known = held.get(at)
    if (known !== undefined) known.kinds.add(kind)
    else if (held.size < bounds.strings) held.set(at, { end, kinds: new Set([kind]) })
    else isAllHeld = true
  }
  return {
    add: (found: collector.Found): void => {
      const { kind } = found.match
      counts[kind] = (counts[kind] ?? 0) + 1
      if (counts[kind] <= bounds.ofKind) findings.push(findingOf(found))
      if (isHeld(kind)) hold(found.place, kind)
    },
    /** Holds back the whole document. */
    holdAll: (): void => {
      isAllHeld = true
    },
    scan: (): Scan => ({
      findings: findings.toSorted((one, other) => one.at - other.at || one.start - other.start),
      counts,
      isAllHeld,
      held: [...held]
        .map(([at, { end, kinds }]) => ({ at, end, kinds: [...kinds] }))
        .toSorted((one, other) => one.at - other.at),
    }),
  }
}

function findingOf({ place, text, pointer, match }: collector.Found): Finding {
  const { kind, start, end, via = [], says } = match
  const [severity, sentence] = findingKinds[kind]
  return {
    kind,
    severity,
    sentence,
    pointer: pointer(),
    in: place.isName ? 'name' : 'value',
    at: place.at,
    start,
    end,
    via,
    excerpt: safeExcerpt(says ?? text.slice(start, end)),
  }
}
