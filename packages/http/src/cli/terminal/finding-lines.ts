import { type Finding, gravestFindings, safeExcerpt } from '../../scan/finding.ts'
import type { Line } from './output.ts'

/** The most findings that are shown to a person. */
const most = 20

/** Returns findings as lines: how grave, what, where, and what stands there. */
export function findingLines(findings: readonly Finding[]): readonly Line[] {
  const lines = gravestFindings(findings, most).flatMap(linesOf)
  const left = findings.length - most
  return left > 0 ? [...lines, `… and ${left} more; --json shows all.`] : lines
}

function linesOf(it: Finding): readonly Line[] {
  const { severity, kind, sentence, pointer, start, end, excerpt, via } = it
  const place = `${safeExcerpt(pointer) || 'the text'}${it.in === 'name' ? ' (its name)' : ''}, ${start} to ${end}`
  const decoded = via.length === 0 ? '' : ` in ${via.join(', ')}`
  return [
    [{ style: severity === 'high' ? 'red' : 'yellow', text: severity }, `  ${kind}: ${sentence}`],
    [{ style: 'dim', text: `      ${place}${decoded}: ${excerpt}` }],
  ]
}
