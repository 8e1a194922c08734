import {
  described,
  flag,
  int32,
  int64,
  leftOut,
  list,
  listOf,
  type MessageOf,
  message,
  nested,
  neverSet,
  oneOf,
  readOnly,
  required,
  type Shape,
  struct,
  text,
  timestamp,
} from '#kernel/wire.ts'

const fieldsMax = 100
const optionsMax = 200
const nameLength = 200
const textLength = 10_000

/** A shape whose absence differs from its empty value: an absent rule does not apply. */
const optional = <T>(shape: Shape<T>): Shape<T | null> =>
  leftOut({
    ...shape,
    unset: null,
    schema: { oneOf: [shape.schema, { type: 'null' }] },
    limits: {},
    read: (json, at, problems) => (json === null || json === undefined ? null : shape.read(json, at, problems)),
    write: (value) => (value === null || value === undefined ? null : shape.write(value)),
    text: (value) => (value === null || value === undefined ? 'null' : shape.text(value)),
  })

const texts = () => list(text({ maxLength: textLength }), optionsMax)

const StringRules = message('validate.StringRules', {
  address: optional(flag()),
  const: optional(text({ maxLength: textLength })),
  contains: optional(text({ maxLength: textLength })),
  email: optional(flag()),
  hostname: optional(flag()),
  ignoreEmpty: flag(),
  in: texts(),
  ip: optional(flag()),
  ipv4: optional(flag()),
  ipv6: optional(flag()),
  len: optional(int64()),
  lenBytes: optional(int64()),
  maxBytes: optional(int64()),
  maxLen: optional(int64()),
  minBytes: optional(int64()),
  minLen: optional(int64()),
  notContains: optional(text({ maxLength: textLength })),
  notIn: texts(),
  pattern: optional(text({ maxLength: textLength })),
  prefix: optional(text({ maxLength: textLength })),
  strict: neverSet(flag()),
  suffix: optional(text({ maxLength: textLength })),
  uri: optional(flag()),
  uriRef: optional(flag()),
  uuid: optional(flag()),
  wellKnownRegex: optional(oneOf(['UNKNOWN', 'HTTP_HEADER_NAME', 'HTTP_HEADER_VALUE'])),
})
export type TextRules = MessageOf<(typeof StringRules)['fields']>

const Int64Rules = message('validate.Int64Rules', {
  const: optional(int64()),
  gt: optional(int64()),
  gte: optional(int64()),
  ignoreEmpty: flag(),
  in: list(int64(), optionsMax),
  lt: optional(int64()),
  lte: optional(int64()),
  notIn: list(int64(), optionsMax),
})
export type NumberRules = MessageOf<(typeof Int64Rules)['fields']>

const RepeatedRules = message('validate.RepeatedRules', {
  ignoreEmpty: flag(),
  items: nested(message('validate.FieldRules', { string: nested(StringRules) })),
  maxItems: optional(int64()),
  minItems: optional(int64()),
  unique: flag(),
})
export type ListRules = MessageOf<(typeof RepeatedRules)['fields']>

const PickerField = message('form.v1.PickerField', {
  c1UserPicker: nested(
    message('form.v1.C1UserFilter', {
      userIds: described(list(text(), optionsMax), 'Who can be picked; everyone if it is empty.'),
      excludeUserIds: list(text(), optionsMax),
      includeDeactivated: flag(),
    }),
  ),
  appUserPicker: nested(message('form.v1.AppUserFilter', { appId: text() })),
  resourcePicker: nested(message('form.v1.AppResourceFilter', { appId: text(), resourceTypeId: text() })),
})
export type Picker = MessageOf<(typeof PickerField)['fields']>

const StringField = message('form.v1.StringField', {
  dateField: nested(
    message('form.v1.DateField', {
      defaultToToday: flag(),
      maxDate: text({ maxLength: 10 }),
      maxDaysFromToday: optional(int32()),
      minDate: text({ maxLength: 10 }),
      minDaysFromToday: optional(int32()),
    }),
  ),
  defaultValue: text({ maxLength: textLength }),
  // Answers are stored, and shown to everyone who decides: not suitable for secrets.
  passwordField: neverSet(struct(), 'Answers are shown to everyone who decides: do not ask for secrets.'),
  pickerField: described(nested(PickerField), 'The answer is the id of a user, an account or a resource.'),
  placeholder: text({ maxLength: nameLength }),
  rules: nested(StringRules),
  selectField: nested(
    message('form.v1.SelectField', {
      options: listOf(
        message('form.v1.SelectOption', {
          description: text({ maxLength: textLength }),
          displayName: text({ maxLength: nameLength }),
          value: text({ maxLength: textLength, isLine: true }),
        }),
        optionsMax,
      ),
      type: oneOf(['SELECT_TYPE_UNSPECIFIED', 'SELECT_TYPE_DROPDOWN', 'SELECT_TYPE_RADIO', 'SELECT_TYPE_BUTTONS']),
    }),
  ),
  textField: nested(
    message('form.v1.TextField', { multiline: flag(), suffix: optional(text({ maxLength: nameLength })) }),
  ),
})

const FieldMessage = message('form.v1.Field', {
  name: described(text({ maxLength: nameLength }), 'The name of the answer; derived from displayName if absent.'),
  displayName: text({ maxLength: nameLength }),
  description: text({ maxLength: textLength }),
  required: flag(),
  readOnly: flag(),
  stringField: nested(StringField),
  boolField: nested(
    message('form.v1.BoolField', {
      checkboxField: nested(message('form.v1.CheckboxField', {})),
      defaultValue: flag(),
      rules: nested(message('validate.BoolRules', { const: optional(flag()) })),
      toggleField: nested(message('form.v1.ToggleField', {})),
    }),
  ),
  int64Field: nested(
    message('form.v1.Int64Field', {
      defaultValue: optional(int64()),
      numberField: nested(
        message('form.v1.NumberField', {
          maxValue: optional(int64()),
          minValue: optional(int64()),
          step: optional(int64()),
        }),
      ),
      placeholder: text({ maxLength: nameLength }),
      rules: nested(Int64Rules),
    }),
  ),
  stringSliceField: nested(
    message('form.v1.StringSliceField', {
      chipsField: nested(message('form.v1.ChipsField', {})),
      defaultValues: texts(),
      pickerField: nested(PickerField),
      placeholder: text({ maxLength: nameLength }),
      rules: nested(RepeatedRules),
    }),
  ),
  stringMapField: nested(
    message('form.v1.StringMapField', {
      defaultValue: struct(),
      rules: nested(message('form.v1.StringMapRules', { isRequired: flag(), validateEmpty: flag() })),
    }),
  ),
  userConfig: nested(message('form.v1.UserProviderConfig', { inputTransformationCel: neverSet(text()) })),
  // Files, signing in to other systems, and computed values are not supported.
  fileField: neverSet(struct()),
  oauth2Field: neverSet(struct()),
  adminConfig: neverSet(struct(), 'Use readOnly with a default value for an answer that requesters cannot change.'),
  sharedConfig: neverSet(struct(), 'Use a default value for an answer that requesters can change.'),
})
export type Field = MessageOf<(typeof FieldMessage)['fields']>

const FieldGroupMessage = message('form.v1.FieldGroup', {
  default: flag(),
  displayName: text({ maxLength: nameLength }),
  fields: list(text({ maxLength: nameLength }), fieldsMax),
  helpText: text({ maxLength: textLength }),
  name: text({ maxLength: nameLength }),
})

const FieldRelationshipMessage = message('form.v1.FieldRelationship', {
  fieldNames: list(text({ maxLength: nameLength }), fieldsMax),
  requiredTogether: nested(message('form.v1.RequiredTogether', {})),
  atLeastOne: nested(message('form.v1.AtLeastOne', {})),
  mutuallyExclusive: nested(message('form.v1.MutuallyExclusive', {})),
  dependentOn: nested(
    message('form.v1.DependentOn', { dependencyFieldNames: list(text({ maxLength: nameLength }), fieldsMax) }),
  ),
})
export type FieldGroup = MessageOf<(typeof FieldGroupMessage)['fields']>
export type FieldRelationship = MessageOf<(typeof FieldRelationshipMessage)['fields']>

const parts = {
  description: text({ maxLength: textLength }),
  fields: listOf(FieldMessage, fieldsMax),
  fieldGroups: listOf(FieldGroupMessage, fieldsMax),
  fieldRelationships: listOf(FieldRelationshipMessage, fieldsMax),
}
export const visibilities = [
  'JUSTIFICATION_VISIBILITY_UNSPECIFIED',
  'JUSTIFICATION_VISIBILITY_SHOW',
  'JUSTIFICATION_VISIBILITY_HIDE',
] as const

export const CreateFormMessage = message('request_schema.v1.RequestSchemaServiceCreateRequest', {
  name: required(text({ maxLength: nameLength })),
  ...parts,
  justificationVisibility: oneOf(visibilities),
})

export const FormBody = message('form.v1.Form', {
  id: readOnly(text()),
  displayName: text({ maxLength: nameLength }),
  ...parts,
})

export const FormMessage = message(
  'request_schema.v1.RequestSchema',
  {
    id: readOnly(text()),
    form: nested(FormBody),
    justificationVisibility: oneOf(visibilities),
    createdAt: readOnly(timestamp()),
    modifiedAt: readOnly(timestamp()),
    deletedAt: readOnly(timestamp()),
  },
  'The questions for requesters.',
)
