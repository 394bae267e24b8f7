// The differences of the template, a version or a tenant, and both ways to end them: bring it back, or write a step.
import type { ReactElement } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import { useDrift } from '../../api/fleet.ts'
import { ChangeButton } from '../../parts/change/change-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Section } from '../../ui/sheet.tsx'
import { FromChanges } from './commands.tsx'
import { comparedText, HINTS } from './texts.ts'

export function DriftSection(props: {
  readonly fleet: Fleet
  readonly slug: string
}): ReactElement {
  const { fleet, slug } = props
  return (
    <Section title="Structure">
      <Loaded query={useDrift(fleet.group.id, slug)} what="the differences" lines={3}>
        {({ compared_with: reference, differences, into_template: step, note, statements }) =>
          reference === null ? (
            <p className="text-ink-dim">{note ?? HINTS.notCompared}</p>
          ) : (
            <>
              <p className="text-small text-ink-dim">{note ?? comparedText(reference)}</p>
              <StructureDifferences differences={differences} project={slug} other={reference} />
              {statements !== null && (
                <>
                  <p className="text-small">
                    <strong>Bring {slug} back.</strong> {HINTS.closing}
                  </p>
                  <RunnableSql
                    tenant={slug}
                    sql={statements}
                    label="statements that remove the drift"
                  >
                    {runsSomething(statements) && (
                      <ChangeButton
                        label="Bring back"
                        change={{
                          tenant: slug,
                          title: `Bring ${slug} back`,
                          statements: [statements],
                          onlyHere: 'differences',
                        }}
                      />
                    )}
                  </RunnableSql>
                </>
              )}
              {differences.length > 0 && <AsStep fleet={fleet} slug={slug} step={step} />}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** Differences for which no statement was generated are comments. */
function runsSomething(statements: string): boolean {
  return statements.split('\n').some((line) => line !== '' && !line.startsWith('--'))
}

/** Moves the differences into the template, and from there into a step for all tenants. */
function AsStep(props: {
  readonly fleet: Fleet
  readonly slug: string
  /** `null` for the template, which has the differences. */
  readonly step: string | null
}): ReactElement | undefined {
  const { fleet, slug, step } = props
  const { template } = fleet
  if (template === null || (step === null && slug !== template.slug)) return undefined
  return (
    <>
      <p className="text-small">
        <strong>Or move it into the template as a step.</strong>{' '}
        {step === null ? HINTS.templateStep : HINTS.tenantStep}
      </p>
      {step !== null && (
        <RunnableSql
          tenant={template.slug}
          sql={step}
          label={`statements for the template ${template.slug}`}
        >
          <ChangeButton
            label="Move into the template"
            change={{
              tenant: template.slug,
              title: `Changes of ${slug}`,
              statements: [step],
              recordedIn: slug,
            }}
          />
        </RunnableSql>
      )}
      <FromChanges group={fleet.group.name} />
    </>
  )
}
