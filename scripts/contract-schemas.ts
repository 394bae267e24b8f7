// JSON Schemas (draft 2020-12) of exported TypeScript types, by name: what the wire's types say, their comments included.
// Knows what the contract is written in: interfaces, unions, literals, arrays, records, optional members.
import ts from 'typescript'

export type JsonSchema = { readonly [key: string]: unknown }

/** @throws {TypeError} for a type that the contract should not use */
export function contractSchemas(files: readonly string[]): Record<string, JsonSchema> {
  const program = ts.createProgram(files, { strict: true, exactOptionalPropertyTypes: true })
  const checker = program.getTypeChecker()
  const named = new Map<string, ts.Declaration>()
  for (const file of files)
    for (const statement of program.getSourceFile(file)?.statements ?? [])
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
        named.set(statement.name.text, statement)
  const writer = new SchemaWriter(checker, new Set(named.keys()))
  const entries = [...named].map(([name, declaration]): [string, JsonSchema] => [
    name,
    { ...commentOf(declaration), ...writer.define(declaration) },
  ])
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

class SchemaWriter {
  readonly #checker: ts.TypeChecker
  readonly #names: ReadonlySet<string>

  constructor(checker: ts.TypeChecker, names: ReadonlySet<string>) {
    this.#checker = checker
    this.#names = names
  }

  define(declaration: ts.Declaration): JsonSchema {
    if (ts.isTypeAliasDeclaration(declaration)) return this.#ofNode(declaration.type)
    return this.#ofObject(this.#checker.getTypeAtLocation(declaration))
  }

  // By how it is written where that says more: a name becomes a reference.
  #ofNode(node: ts.TypeNode): JsonSchema {
    if (ts.isParenthesizedTypeNode(node)) return this.#ofNode(node.type)
    if (ts.isTypeReferenceNode(node) && this.#names.has(node.typeName.getText()))
      return { $ref: `#/components/schemas/${node.typeName.getText()}` }
    if (ts.isUnionTypeNode(node)) return this.#ofUnion(node)
    if (ts.isTypeOperatorNode(node)) return this.#ofNode(node.type)
    if (ts.isArrayTypeNode(node)) return { type: 'array', items: this.#ofNode(node.elementType) }
    if (ts.isTypeReferenceNode(node)) {
      const [first, second] = node.typeArguments ?? []
      const name = node.typeName.getText()
      if (name === 'Readonly' && first !== undefined) return this.#ofNode(first)
      if (name === 'Record' && second !== undefined)
        return { type: 'object', additionalProperties: this.#ofNode(second) }
    }
    return this.#ofType(this.#checker.getTypeFromTypeNode(node), node)
  }

  #ofUnion({ types }: ts.UnionTypeNode): JsonSchema {
    const schemas = types.map((type) => this.#ofNode(type))
    const texts = schemas.flatMap((schema) =>
      typeof schema['const'] === 'string' ? [schema['const']] : [],
    )
    return texts.length === schemas.length ? { enum: texts } : { anyOf: schemas }
  }

  #ofType(type: ts.Type, node: ts.TypeNode): JsonSchema {
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value }
    const text = this.#checker.typeToString(type)
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { const: text === 'true' }
    if (text === 'string' || text === 'number' || text === 'boolean' || text === 'null')
      return { type: text }
    if (text === 'unknown') return {}
    if (type.isUnion()) {
      const present = type.types.filter(({ flags }) => !(flags & ts.TypeFlags.Undefined))
      const schemas = present.map((each) => this.#ofType(each, node))
      const [only] = schemas
      return schemas.length === 1 && only !== undefined ? only : { anyOf: schemas }
    }
    const element = this.#checker.isArrayType(type)
      ? this.#checker.getTypeArguments(type as ts.TypeReference)[0]
      : undefined
    if (element !== undefined) return { type: 'array', items: this.#ofType(element, node) }
    const values = type.getStringIndexType()
    if (values !== undefined)
      return { type: 'object', additionalProperties: this.#ofType(values, node) }
    if (type.flags & ts.TypeFlags.Object) return this.#ofObject(type)
    throw new TypeError(`the contract should not use ${node.getText()}`)
  }

  #ofObject(type: ts.Type): JsonSchema {
    const properties = type.getProperties()
    const schemas = properties.map((property): [string, JsonSchema] => [
      property.name,
      this.#ofProperty(property),
    ])
    return {
      type: 'object',
      properties: Object.fromEntries(schemas),
      required: properties
        .filter(({ flags }) => !(flags & ts.SymbolFlags.Optional))
        .map(({ name }) => name),
    }
  }

  #ofProperty(property: ts.Symbol): JsonSchema {
    const declaration = property.valueDeclaration ?? property.declarations?.[0]
    if (declaration === undefined) return {}
    const comment = commentOf(declaration)
    // A member of a mapped type is written nowhere.
    if (!ts.isPropertySignature(declaration) || declaration.type === undefined) return comment
    return { ...comment, ...this.#ofNode(declaration.type) }
  }
}

function commentOf(declaration: ts.Declaration): { readonly description?: string } {
  const comments = ts
    .getJSDocCommentsAndTags(declaration)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
  return comments.length === 0 ? {} : { description: comments.join(' ').replace(/\s+/g, ' ') }
}
