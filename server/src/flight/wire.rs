//! Rows as they are sent. Clients lack the types of views, and words of a dictionary are sent in full, so every batch
//! gets the types that its schema was announced with.

use std::sync::Arc;

use arrow::array::{RecordBatch, RecordBatchOptions};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use arrow::error::ArrowError;
use arrow::ipc::writer::IpcWriteOptions;
use arrow_flight::encode::FlightDataEncoderBuilder;
use arrow_flight::error::FlightError;
use arrow_flight::{FlightData, IpcMessage, SchemaAsIpc};
use futures::{FutureExt as _, StreamExt as _, TryStreamExt as _, stream};
use prost::bytes::Bytes;

/// Bytes of a message. Clients of Flight accept at least 4 MiB.
const MESSAGE: usize = 3 << 20;

/// The schema of rows as they are sent.
pub fn schema(schema: &Schema) -> SchemaRef {
    let fields: Vec<FieldRef> = schema.fields().iter().map(field).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}

fn field(of: &FieldRef) -> FieldRef {
    let sent = sort(of.data_type());
    if sent == *of.data_type() { Arc::clone(of) } else { Arc::new(Field::clone(of).with_data_type(sent)) }
}

/// The schema of rows that are sent for several runs, which was planned for the first: a column may be NULL in another.
pub fn schema_of_runs(first: &Schema, runs: usize) -> SchemaRef {
    let sent = schema(first);
    if runs <= 1 {
        return sent;
    }
    let fields: Vec<FieldRef> = sent.fields().iter().map(nullable).collect();
    Arc::new(Schema::new_with_metadata(fields, sent.metadata().clone()))
}

fn nullable(of: &FieldRef) -> FieldRef {
    let sort = match of.data_type() {
        DataType::List(of) => DataType::List(nullable(of)),
        DataType::LargeList(of) => DataType::LargeList(nullable(of)),
        DataType::FixedSizeList(of, length) => DataType::FixedSizeList(nullable(of), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(nullable).collect()),
        other => other.clone(),
    };
    Arc::new(Field::clone(of).with_data_type(sort).with_nullable(true))
}

fn sort(of: &DataType) -> DataType {
    match of {
        DataType::Utf8View => DataType::Utf8,
        DataType::BinaryView => DataType::Binary,
        DataType::Dictionary(_, words) => sort(words),
        DataType::RunEndEncoded(_, values) => sort(values.data_type()),
        DataType::List(of) | DataType::ListView(of) => DataType::List(field(of)),
        DataType::LargeList(of) | DataType::LargeListView(of) => DataType::LargeList(field(of)),
        DataType::FixedSizeList(of, length) => DataType::FixedSizeList(field(of), *length),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(field).collect()),
        DataType::Map(entries, is_sorted) => DataType::Map(field(entries), *is_sorted),
        other => other.clone(),
    }
}

/// The bytes of a schema.
pub fn schema_bytes(schema: &Schema) -> Result<Bytes, ArrowError> {
    let message = IpcMessage::try_from(SchemaAsIpc::new(schema, &IpcWriteOptions::default()))?;
    Ok(message.0)
}

/// The message that begins a stream of rows.
pub fn first_message(schema: &Schema) -> FlightData {
    SchemaAsIpc::new(schema, &IpcWriteOptions::default()).into()
}

/// The messages of a batch of rows.
pub fn messages(batch: &RecordBatch, schema: &SchemaRef) -> Result<Vec<FlightData>, FlightError> {
    let columns = batch.columns().iter().zip(schema.fields());
    let columns = columns.map(|(column, field)| match column.data_type() == field.data_type() {
        true => Ok(Arc::clone(column)),
        false => cast(column, field.data_type()),
    });
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    let sent =
        RecordBatch::try_new_with_options(Arc::clone(schema), columns.collect::<Result<_, _>>()?, &options)?;
    let encoder =
        FlightDataEncoderBuilder::new().with_schema(Arc::clone(schema)).with_max_flight_data_size(MESSAGE);
    // The first message is the schema's. Nothing is waited for: the batch is there.
    let encoded = encoder.build(stream::iter([Ok(sent)])).skip(1).try_collect().now_or_never();
    encoded.unwrap_or_else(|| Ok(Vec::new()))
}

#[cfg(test)]
mod tests {
    use arrow::array::{
        Array as _, ArrayRef, DictionaryArray, Int64Array, ListArray, StringArray, StringViewArray,
    };
    use arrow::datatypes::Int8Type;
    use arrow_flight::utils::flight_data_to_batches;

    use super::*;

    #[test]
    fn views_and_dictionaries_are_sent_as_texts_whatever_holds_them() {
        let words: DictionaryArray<Int8Type> = ["gold", "silver", "gold"].into_iter().collect();
        let views =
            StringViewArray::from(vec![Some("a text that is longer than twelve bytes"), None, Some("")]);
        let lists = ListArray::new(
            Arc::new(Field::new("item", DataType::Utf8View, true)),
            arrow::buffer::OffsetBuffer::from_lengths([2, 0, 1]),
            Arc::new(views.clone()),
            None,
        );
        let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3]));
        let batch = RecordBatch::try_from_iter([
            ("side", Arc::new(words) as ArrayRef),
            ("text", Arc::new(views)),
            ("texts", Arc::new(lists)),
            ("number", numbers),
        ]);
        let batch = batch.unwrap();
        let sent = schema(batch.schema_ref());
        let texts: Vec<String> = sent.fields().iter().map(|field| field.data_type().to_string()).collect();
        assert_eq!(texts[..2], ["Utf8", "Utf8"]);
        assert!(!texts[2].contains("View") && texts[3] == "Int64", "{texts:?}");
        let all = [vec![first_message(&sent)], messages(&batch, &sent).unwrap()].concat();
        let read = flight_data_to_batches(&all).unwrap();
        assert_eq!((read.len(), read[0].schema_ref()), (1, &sent));
        let side = read[0].column(0).as_any().downcast_ref::<StringArray>().unwrap();
        assert_eq!(side.iter().flatten().collect::<Vec<_>>(), ["gold", "silver", "gold"]);
        let texts = read[0].column(2).as_any().downcast_ref::<ListArray>().unwrap();
        assert_eq!((texts.value(0).len(), texts.value(1).len()), (2, 0));
    }

    #[test]
    fn a_column_of_several_runs_may_be_null_whatever_holds_it() {
        let number = Arc::new(Field::new("n", DataType::Int64, false));
        let fields = [
            Field::new("n", DataType::Int64, false),
            Field::new("list", DataType::List(Arc::clone(&number)), false),
            Field::new("struct", DataType::Struct([number].into_iter().collect()), false),
        ];
        let first = Schema::new(fields.to_vec());
        assert_eq!(*schema_of_runs(&first, 1), first);
        let sent = schema_of_runs(&first, 2);
        assert!(sent.fields().iter().all(|field| field.is_nullable()));
        let DataType::List(inner) = sent.field(1).data_type() else { panic!("{sent}") };
        let DataType::Struct(fields) = sent.field(2).data_type() else { panic!("{sent}") };
        assert!(inner.is_nullable() && fields[0].is_nullable());
        // A batch of the first run, whose fields inside are not nullable.
        let numbers = Int64Array::from(vec![1, 2]);
        let list: ArrayRef = Arc::new(ListArray::new(
            Arc::new(Field::new("n", DataType::Int64, false)),
            arrow::buffer::OffsetBuffer::from_lengths([2]),
            Arc::new(numbers),
            None,
        ));
        let batch = RecordBatch::try_from_iter([("list", list)]).unwrap();
        let sent = schema_of_runs(batch.schema_ref(), 2);
        let all = [vec![first_message(&sent)], messages(&batch, &sent).unwrap()].concat();
        assert_eq!(flight_data_to_batches(&all).unwrap()[0].schema_ref(), &sent);
    }

    #[test]
    fn rows_without_columns_and_batches_beyond_a_message_are_sent_whole() {
        let empty = Arc::new(Schema::empty());
        let options = RecordBatchOptions::new().with_row_count(Some(7));
        let batch = RecordBatch::try_new_with_options(Arc::clone(&empty), vec![], &options).unwrap();
        let all = [vec![first_message(&empty)], messages(&batch, &empty).unwrap()].concat();
        assert_eq!(flight_data_to_batches(&all).unwrap()[0].num_rows(), 7);
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..1_000_000));
        let batch = RecordBatch::try_from_iter([("n", numbers)]).unwrap();
        let sent = messages(&batch, batch.schema_ref()).unwrap();
        assert!(
            sent.len() > 1 && sent.iter().all(|message| message.data_body.len() <= 4 << 20),
            "{}",
            sent.len()
        );
        let all = [vec![first_message(batch.schema_ref())], sent].concat();
        let rows: usize = flight_data_to_batches(&all).unwrap().iter().map(RecordBatch::num_rows).sum();
        assert_eq!(rows, 1_000_000);
    }
}
