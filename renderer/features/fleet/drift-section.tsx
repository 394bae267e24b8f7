// How the structure of the template, a version or a tenant drifted, with the statements that remove the drift.
import type { ReactElement } from 'react'
import { useDrift } from '../../api/fleet.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Section } from '../../ui/sheet.tsx'
import { comparedText, HINTS } from './texts.ts'

export function DriftSection(props: {
  readonly group: string
  readonly slug: string
}): ReactElement {
  const { group, slug } = props
  return (
    <Section title="Drift">
      <Loaded query={useDrift(group, slug)} what="the drift" lines={3}>
        {({ compared_with: reference, differences, note, statements }) =>
          reference === null ? (
            <p className="text-ink-dim">{note ?? HINTS.notCompared}</p>
          ) : (
            <>
              <p className="text-small text-ink-dim">{note ?? comparedText(reference)}</p>
              <StructureDifferences differences={differences} project={slug} other={reference} />
              {statements !== null && (
                <>
                  <p className="text-small text-ink-dim">{HINTS.closing}</p>
                  <RunnableSql
                    tenant={slug}
                    sql={statements}
                    label="statements that remove the drift"
                  />
                </>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
