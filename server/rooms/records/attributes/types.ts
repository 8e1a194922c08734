/**
 * The built-in kinds of attribute. Their ids are the same in every tenant and never change: clients keep them. They have the
 * form of any other id, and sort before all generated ids.
 */
export const riskLevel = { id: '000000000000000000RiskLevel', name: 'Risk Level', noun: 'risk level' } as const
export const complianceFramework = {
  id: '00000000ComplianceFramework',
  name: 'Compliance Framework',
  noun: 'compliance framework',
} as const

/** By id: the order in which they are listed. */
export const attributeTypes = [riskLevel, complianceFramework] as const
export type AttributeType = (typeof attributeTypes)[number]

export const typeOfId = (id: string): AttributeType | undefined => attributeTypes.find((type) => type.id === id)
