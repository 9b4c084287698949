import { isScalar, parseDocument } from 'yaml'
import type { MetadataInput } from '../import-report.ts'

/** The longest front matter that is read, in UTF-16 units. */
const longest = 16_384

const fencedBlock = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?<=\n)---[ \t]*(?:\r?\n|$)/

/** Returns the YAML at the beginning of a Markdown text, without its fences. */
export function frontMatterOf(text: string): string | undefined {
  const [, yaml] = fencedBlock.exec(text.slice(0, longest + 16)) ?? []
  return yaml
}

/** Returns the metadata in front matter, or `undefined` when it is not YAML. */
export function readFrontMatter(yaml: string): MetadataInput | undefined {
  try {
    const document = parseDocument(yaml, { logLevel: 'silent' })
    if (document.errors.length > 0) return undefined
    const text = (...names: string[]) => {
      // Reads plain scalars only: follows no alias and builds no value.
      const nodes = names.map((name) => document.get(name, true))
      const values = nodes.map((node) => (isScalar(node) ? node.source : undefined))
      return values.find((value) => value !== undefined && value !== '')
    }
    return definedMetadata(text('category'), text('agentId', 'agent_id'), text('version'))
  } catch {
    return undefined
  }
}

function definedMetadata(category?: string, agentId?: string, version?: string): MetadataInput {
  return {
    ...(category !== undefined && { category }),
    ...(agentId !== undefined && { agentId }),
    ...(version !== undefined && { version }),
  }
}
