import { isScalar, parseDocument } from 'yaml'
import type { MetadataInput } from '../import-report.ts'

/** The longest front matter that is read, in UTF-16 units. */
const longest = 16_384

const fenced = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** Returns the YAML at the beginning of a Markdown text, without its fences. */
export function frontMatterOf(text: string): string | undefined {
  const [, yaml] = fenced.exec(text.slice(0, longest + 16)) ?? []
  return yaml
}

/** Returns what front matter says of the agent, or nothing when it is no YAML. */
export function readFrontMatter(yaml: string): MetadataInput | undefined {
  try {
    const document = parseDocument(yaml, { logLevel: 'silent' })
    if (document.errors.length > 0) return undefined
    const text = (...names: string[]) => {
      // Only plain members are looked at: no alias is followed, and nothing is built.
      const nodes = names.map((name) => document.get(name, true))
      const values = nodes.map((node) => (isScalar(node) ? node.source : undefined))
      return values.find((value) => value !== undefined && value !== '')
    }
    return named(text('category'), text('agentId', 'agent_id'), text('version'))
  } catch {
    return undefined
  }
}

function named(category?: string, agentId?: string, version?: string): MetadataInput {
  return {
    ...(category !== undefined && { category }),
    ...(agentId !== undefined && { agentId }),
    ...(version !== undefined && { version }),
  }
}
