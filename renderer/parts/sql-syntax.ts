// SQL and policy expressions cut into coloured pieces, and broken over lines where AND and OR stand. Pure.

export type SqlTokenKind =
  | 'keyword'
  | 'name'
  | 'call'
  | 'text'
  | 'number'
  | 'sign'
  | 'space'
  | 'comment'

export interface SqlToken {
  readonly kind: SqlTokenKind
  readonly text: string
}

const KEYWORDS = new Set(
  `add all alter and any array as asc begin between bigint boolean by cascade case cast check coalesce column commit
   create current_date current_role current_timestamp current_user date default delete desc disable distinct do drop else
   enable end except exists false for force foreign from full function grant group having if ilike in inner insert
   integer intersect into is isnull join json jsonb key left level like limit not notnull null nullif numeric of offset
   on only or order outer policy primary public references restrictive permissive returning revoke right row schema
   security select set some table text then timestamptz to true union unique update using uuid values view when where
   with without`
    .trim()
    .split(/\s+/),
)

const PIECE =
  /(?<comment>--[^\n]*|\/\*[\s\S]*?\*\/)|(?<space>\s+)|(?<text>[eE]?'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\4\$)|(?<number>\d+(?:\.\d+)?)|(?<quoted>"(?:[^"]|"")*")|(?<word>[\p{L}_][\p{L}\p{N}_$]*)|(?<sign>::|->>|->|#>>|#>|@>|<@|<>|!=|<=|>=|\|\||&&|!~\*|!~|~\*|[\s\S])/gu

/** Every character of the text in order; nothing is lost. */
export function sqlTokens(sql: string): readonly SqlToken[] {
  return [...sql.matchAll(PIECE)].map((match) => ({
    kind: kindOf(match.groups ?? {}, sql[(match.index ?? 0) + match[0].length]),
    text: match[0],
  }))
}

function kindOf(
  groups: Readonly<Record<string, string | undefined>>,
  next: string | undefined,
): SqlTokenKind {
  if (groups['comment'] !== undefined) return 'comment'
  if (groups['space'] !== undefined) return 'space'
  if (groups['text'] !== undefined) return 'text'
  if (groups['number'] !== undefined) return 'number'
  if (groups['quoted'] !== undefined) return 'name'
  const word = groups['word']
  if (word === undefined) return 'sign'
  if (KEYWORDS.has(word.toLowerCase())) return 'keyword'
  return next === '(' ? 'call' : 'name'
}

/** A condition as Postgres writes it, without the parentheses around the whole, a new line before each outer AND and OR. */
export function prettyCondition(text: string): string {
  const bare = withoutOuterParentheses(text.trim())
  const tokens = sqlTokens(bare)
  let depth = 0
  let isBetween = false
  let cases = 0
  const pieces = tokens.map((token) => {
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    if (token.kind !== 'keyword') return token.text
    const word = token.text.toLowerCase()
    if (word === 'between') isBetween = true
    if (word === 'case') cases += 1
    if (word === 'end') cases -= 1
    if (depth > 0 || cases > 0 || (word !== 'and' && word !== 'or')) return token.text
    if (word === 'and' && isBetween) {
      isBetween = false
      return token.text
    }
    return `\n${token.text}`
  })
  return pieces.join('').replaceAll(/[ \t]+\n/g, '\n')
}

/** `(a = b)` → `a = b`; `(a) OR (b)` stays. */
export function withoutOuterParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text
  let depth = 0
  let position = 0
  for (const token of sqlTokens(text)) {
    if (token.text === '(') depth += 1
    if (token.text === ')') depth -= 1
    position += token.text.length
    if (depth === 0 && position < text.length) return text
  }
  return depth === 0 ? withoutOuterParentheses(text.slice(1, -1).trim()) : text
}
