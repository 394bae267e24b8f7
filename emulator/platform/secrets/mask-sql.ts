// Masks SQL literals after `password`, and literals that are compared with or assigned to a secret column. Names and operators
// stay, so that the statement still runs. Pure.
import { maskForms, maskText } from './mask-text.ts'
import { isNamed, type Masking } from './masking.ts'
import { isSecretName } from './secret-names.ts'

/** The beginning of a statement, after any comments. */
const STATEMENT =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:select\s|insert\s+into\s|update\s+\S+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s|begin\s*;|do\s+\$|(?:create|alter|drop)\s+(?:or\s+replace\s+|unique\s+|temp\w*\s+)?(?:role|user|table|function|procedure|policy|trigger|view|schema|database|extension|server|subscription|index|type)\s)/i

export function looksLikeSql(text: string): boolean {
  return STATEMENT.test(text)
}

/** Comments, quoted names and literals (PostgreSQL manual, "Lexical Structure"). */
const PARTS =
  /(--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|"(?:[^"]|"")*"|((?:\bE)')((?:[^'\\]|''|\\[\s\S])*)('?)|((?:\bU&)?')((?:[^']|'')*)('?)|(\$(\w*)\$)([\s\S]*?)(\$\9\$|$)/gi
/** A name before a literal, with its operator. Only `password` precedes its literal without an operator. */
const NAME = /"?(\w+)"?\s*(=|:=|=>|<>|!=|\bi?like|\bin\s*\()?\s*$/i
const CONTINUES = /^[\s,]*$/

/** @param maskInner masks a literal that is not a secret */
export function maskSql(
  source: string,
  masking: Masking,
  maskInner: (text: string, masking: Masking) => string,
): string {
  let masked = ''
  let end = 0
  let code = ''
  let secret = ''
  for (const match of source.matchAll(PARTS)) {
    const [whole, comment, ...literals] = match
    const between = source.slice(end, match.index)
    masked += between
    end = match.index + whole.length
    code += between
    if (comment !== undefined) masked += maskText(comment, masking)
    else if (whole.startsWith('"')) {
      masked += whole
      code += whole
    } else {
      const name = secretBefore(code, secret, masking)
      masked += maskLiteral(literals, name, masking, maskInner)
      code = ''
      secret = name
    }
  }
  return maskForms(masked + source.slice(end), masking)
}

// Returns the secret name before a literal. The name also applies to continued literals and to further literals of a list.
function secretBefore(code: string, earlier: string, masking: Masking): string {
  if (earlier !== '' && CONTINUES.test(code)) return earlier
  const [, name = '', operator] = NAME.exec(code) ?? []
  if (operator === undefined) return /password$/i.test(name) ? name : ''
  return isSecretName(name, false) || isNamed(masking, name) ? name : ''
}

function maskLiteral(
  [
    escapedStart,
    escaped,
    escapedEnd,
    start,
    plain,
    plainEnd,
    dollar,
    ,
    inDollars,
    dollarEnd,
  ]: readonly (string | undefined)[],
  name: string,
  masking: Masking,
  maskInner: (text: string, masking: Masking) => string,
): string {
  if (dollar !== undefined) {
    const inner = inDollars ?? ''
    // Dollar-quoted text that is neither a secret nor JSON is masked as SQL, because it can be the body of a function.
    const masked =
      name !== ''
        ? replaced(inner, name, masking)
        : /^\s*[[{"]/.test(inner)
          ? maskInner(inner, masking)
          : maskSql(inner, masking, maskInner)
    return dollar + masked + (dollarEnd ?? '')
  }
  const text = (escaped ?? plain ?? '').replaceAll("''", "'")
  const masked = name === '' ? maskInner(text, masking) : replaced(text, name, masking)
  const written = masked === text ? (escaped ?? plain ?? '') : masked.replaceAll("'", "''")
  return (escapedStart ?? start ?? '') + written + (escapedEnd ?? plainEnd ?? '')
}

function replaced(text: string, name: string, masking: Masking): string {
  return text === '' ? text : masking.replace(text, name)
}
