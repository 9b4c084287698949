import type { Finding } from './finding.ts'

const grave = { high: 0, medium: 1, low: 2 } as const

/**
 * Returns at most so many findings: the first of each kind before the second of any, the gravest
 * first, so that many of one kind hide no other.
 */
export function gravestFindings(findings: readonly Finding[], most: number): readonly Finding[] {
  if (findings.length <= most) return findings
  const seen = new Map<string, number>()
  const ranked = findings.map((finding) => {
    const nth = seen.get(finding.kind) ?? 0
    seen.set(finding.kind, nth + 1)
    return { finding, rank: 3 * nth + grave[finding.severity] }
  })
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, most)
    .map(({ finding }) => finding)
}
