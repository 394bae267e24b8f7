// The sentences of comments, messages and test titles are short and plain. `npm run spell` checks single words; these rules check
// whole sentences.
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

/** Docstrings are read as comments, so that the parser need not parse them. */
const PARSED: ts.CreateSourceFileOptions = {
  languageVersion: ts.ScriptTarget.Latest,
  jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
}

/** The largest number of words in a sentence. A code span and an address count as one word. */
const LONGEST = 25

interface Text {
  readonly kind: 'comment' | 'message' | 'title'
  readonly place: string
  readonly text: string
}

/** Idioms that only fluent readers understand, with plain words to use instead. */
const IDIOMS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/\bthere (?:is|are|was|were) none\b/i, 'say what is missing'],
  [/\b(?:time|what) (?:has|had) come\b/i, 'expired, arrived'],
  [/\bwithout a word\b/i, 'without a message'],
  [/\b(?:two|each|last|next) looks?\b/i, 'check'],
  [/\b(?:goes|go|went|gone) on\b/i, 'continue'],
  [/\b(?:goes|go|stays|stay) away\b/i, 'is dropped, is not sent'],
  [/\bis what it is\b/i, 'is unchanged'],
  [/\bopen doors?\b/i, 'unintended access'],
  [/\bput there\b/i, 'wrote, inserted'],
  [/\bof then\b/i, 'at that time'],
  [/\bwithout an end(?! of|-)\b/i, 'endless, forever'],
  [/\bowe[sd]?\b/i, 'requires'],
  [/\bvanish(?:es|ed)?\b/i, 'disappears, disconnects'],
  [
    /(?<!\bthere )\b(?:is|are) no (?!longer|one|more|less|later|other|such)[a-z]+(?:$|[,.;:]| (?:that|which|when|is|are)\b)/i,
    'is not a …',
  ],
]

const PRONOUN =
  /^(?:It|They|He|She|We|Its|Their|(?:This|These|That|Those) (?:is|are|was|were|has|have|may|can|must|does|do))\b/
const LOOSE_START = /^(?:it|its|they|their|and|or|but|nor|so|also|not|whose)\b/i

/** Lists the faults of a text, one for each violated rule. */
function faultsOf({ kind, text }: Text): readonly string[] {
  const long = sentencesOf(text).filter((sentence) => wordsOf(sentence) > LONGEST)
  const idioms = IDIOMS.filter(([pattern]) => pattern.test(text))
  return [
    ...long.map((sentence) => `has ${wordsOf(sentence)} words: ${sentence}`),
    ...idioms.map(([, plain]) => `is an idiom (${plain}): ${text}`),
    ...(kind === 'comment' && PRONOUN.test(text) ? [`begins with a pronoun: ${text}`] : []),
    ...(kind === 'title' && LOOSE_START.test(text) ? [`begins like half a sentence: ${text}`] : []),
  ]
}

function sentencesOf(text: string): readonly string[] {
  const plain = text
    .replaceAll(/`[^`]*`|"[^"]*"|https?:\S+/g, 'CODE')
    .replaceAll(/\b(e\.g|i\.e)\./g, '$1')
    .replaceAll(/@(?:param|returns|throws)\b/g, '. $&')
  return plain.split(/(?<=[.!?])\s+|(?<=:)\s+(?=[A-Z])|;\s+|\s+-\s+/)
}

const wordsOf = (sentence: string): number =>
  sentence.split(/\s+/).filter((one) => /\w/.test(one)).length

/**
 * Returns a file's comments, with adjacent lines joined. Also returns its test titles, and its messages unless the file is a
 * test.
 */
function textsOf(file: string, content: string): readonly Text[] {
  const script = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const source = ts.createSourceFile(file, content, PARSED, false, script)
  const place = (position: number): string =>
    `${file}:${source.getLineAndCharacterOfPosition(position).line + 1}`
  const texts: Text[] = []
  const positions = new Set<number>()
  const visit = (node: ts.Node): void => {
    positions.add(node.getFullStart()).add(node.getEnd())
    const title = titleOf(source, node)
    const text = title ?? (file.startsWith('test/') ? undefined : messageOf(source, node))
    const kind = title === undefined ? 'message' : 'title'
    if (text !== undefined) texts.push({ kind, place: place(node.getStart(source)), text })
    if (!ts.isJsxText(node)) ts.forEachChild(node, visit)
  }
  visit(source)
  return [
    ...texts,
    ...commentsOf(content, positions).map(
      ([at, text]): Text => ({ kind: 'comment', place: place(at), text }),
    ),
  ]
}

function titleOf(source: ts.SourceFile, node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  let called: ts.Expression = node.expression
  while (ts.isPropertyAccessExpression(called) || ts.isCallExpression(called))
    called = called.expression
  const [title] = node.arguments
  const isTest = ts.isIdentifier(called) && /^(?:it|test|describe)$/.test(called.text)
  return isTest && title && isText(title) ? writtenText(source, title) : undefined
}

function isText(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
}

/** Returns the text of a string that is a sentence for users. */
function messageOf(source: ts.SourceFile, node: ts.Node): string | undefined {
  const text = isText(node) ? writtenText(source, node) : ''
  return /^["“]?[A-Z].*[a-z] .*[.!?]$/.test(text) ? text : undefined
}

const writtenText = (source: ts.SourceFile, node: ts.Node): string =>
  node
    .getText(source)
    .slice(1, -1)
    .replaceAll(/\$\{[^}]*\}/g, 'VALUE')
    .replaceAll(/\s+/g, ' ')

function commentsOf(
  content: string,
  positions: ReadonlySet<number>,
): readonly (readonly [number, string])[] {
  const ranges = new Map<number, ts.CommentRange>()
  for (const position of positions)
    for (const range of [
      ...(ts.getLeadingCommentRanges(content, position) ?? []),
      ...(ts.getTrailingCommentRanges(content, position) ?? []),
    ])
      ranges.set(range.pos, range)
  const comments: { at: number; end: number; text: string }[] = []
  for (const { end, kind, pos } of [...ranges.values()].toSorted(
    (one, other) => one.pos - other.pos,
  )) {
    const raw = content.slice(pos, end)
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia
    const text = isLine
      ? raw.slice(2).trim()
      : raw
          .slice(2, -2)
          .replaceAll(/^\s*\*+/gm, ' ')
          .replaceAll(/\s+/g, ' ')
          .replace(/^\* /, '')
          .trim()
    const last = comments.at(-1)
    const continues =
      isLine &&
      last !== undefined &&
      !/^biome-ignore/.test(text) &&
      /^[ \t]*\r?\n[ \t]*$/.test(content.slice(last.end, pos))
    if (continues) Object.assign(last, { end, text: `${last.text} ${text}` })
    else if (!/^(?:biome-ignore|cspell|@ts-)/.test(text)) comments.push({ at: pos, end, text })
  }
  return comments.map(({ at, text }) => [at, text])
}

describe('texts of the source', () => {
  it('are short and plain', () => {
    const files = globSync('{emulator,client,main,renderer,scripts,test}/**/*.{ts,tsx}').filter(
      (file) => !file.includes('node_modules'),
    )
    const texts = files.flatMap((file) =>
      textsOf(file.replaceAll('\\', '/'), readFileSync(file, 'utf8')),
    )
    const faults = texts.flatMap((text) => faultsOf(text).map((fault) => `${text.place} ${fault}`))
    expect(faults).toEqual([])
  }, 180_000)
})

describe('the rules for texts', () => {
  const one = (content: string): readonly string[] =>
    textsOf('test/x.test.ts', content).flatMap(faultsOf)

  it('report a sentence of more than 25 words, even across comment lines', () => {
    const words = Array.from({ length: 13 }, () => 'word').join(' ')
    expect(one(`// A ${words}\n// ${words}.\nconst a = 1`)).toEqual([
      `has 27 words: A ${words} ${words}.`,
    ])
    expect(one(`// A ${words}.\n// B ${words}.\nconst a = 1`)).toEqual([])
  })

  it('report a comment that begins with a pronoun', () => {
    expect(one('/** It counts rows. */\nconst a = 1')).toHaveLength(1)
    expect(one('/** Counts rows. */\nconst a = 1')).toEqual([])
  })

  it('report idioms in titles', () => {
    expect(one("it('is expired when its time has come', () => {})")).toHaveLength(1)
    expect(one("it('is expired after its expiry', () => {})")).toEqual([])
  })
})
