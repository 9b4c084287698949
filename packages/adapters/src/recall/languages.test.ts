import { expect, test } from 'vitest'
import { languages } from './languages.ts'

test.each([
  ['en', 'what when where who whose which why how'],
  ['de', 'was wann wo wer wem wen welche warum wie'],
  ['fr', 'que quand où qui quel quelle pourquoi comment combien'],
  ['es', 'qué cuándo dónde quién cuál cómo cuánto cuántos'],
  ['it', 'che quando dove chi quale quali perché come quanto'],
  ['pt', 'que quando onde quem qual como quanto quantos'],
  ['nl', 'wat wanneer waar wie welke waarom hoe hoeveel'],
  ['sv', 'vad när var vem vilken varför hur'],
  ['ru', 'что когда где кто какой какие почему как сколько'],
  ['ar', 'ماذا متى أين من كيف لماذا'],
  ['tr', 'ne nerede kim nasıl neden hangi kaç'],
])('the words that ask say nothing by themselves: %s', (tag, words) => {
  const fillers = languages.get(tag)?.fillers
  for (const word of words.split(' ')) expect(fillers, word).toContain(word)
})
