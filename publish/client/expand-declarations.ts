import { expandType } from '../expand-types.ts'
import { readTypeModule } from '../type-module.ts'

/**
 * Returns the text of a module of declarations with the types that are derived from schemas expanded:
 * their readers see fields instead of schemas, and need no TypeBox.
 */
export function expandDeclarations(path: string): string {
  const module = readTypeModule(path)
  const parts: string[] = []
  let at = 0
  for (const node of module.aliases.values()) {
    parts.push(module.text.slice(at, node.start), expandType(node, module))
    at = node.end
  }
  return parts.join('') + module.text.slice(at)
}
