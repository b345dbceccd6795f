"""What the scripts of flight.rs share: a connection of ADBC, and messages of Flight SQL for pyarrow's client."""

import os, time, glob
import adbc_driver_flightsql.dbapi as flightsql
import pandas, polars, pyarrow, pyarrow.flight

bearer = "Bearer " + os.environ["TOKEN"]
connection = flightsql.connect(
    os.environ["URI"], db_kwargs={"adbc.flight.sql.authorization_header": bearer}, autocommit=True
)


def fetch(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetch_arrow_table()


def failure(work):
    try:
        work()
    except Exception as error:
        return error
    raise AssertionError("did not fail")


def sessions():
    """The sessions of queries that the server has: each has a folder for rows that it spills."""
    return len(glob.glob(os.path.join(os.environ["SPILL"], "spill-*")))


def wait_for(condition, seconds=20):
    until = time.time() + seconds
    while not condition():
        assert time.time() < until, sessions()
        time.sleep(0.02)


def varint(number):
    found = b""
    while number > 127:
        found += bytes([number & 127 | 128])
        number >>= 7
    return found + bytes([number])


def field(number, value):
    """A field of bytes in Protobuf."""
    value = value.encode() if isinstance(value, str) else bytes(value)
    return bytes([number << 3 | 2]) + varint(len(value)) + value


def fields(message):
    """The fields of a message that are bytes or numbers."""
    found, at = {}, 0

    def number():
        nonlocal at
        total = shift = 0
        while True:
            byte = message[at]
            at += 1
            total |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return total

    while at < len(message):
        key = number()
        value = number()
        if key & 7 == 2:
            at += value
            value = message[at - value : at]
        found[key >> 3] = value
    return found


def packed(name, message):
    return field(1, "type.googleapis.com/arrow.flight.protocol.sql." + name) + field(2, message)


def descriptor(name, message):
    return pyarrow.flight.FlightDescriptor.for_command(packed(name, message))


def statement(sql):
    return descriptor("CommandStatementQuery", field(1, sql))


def flight_client():
    client = pyarrow.flight.connect(os.environ["URI"].replace("grpc://", "grpc+tcp://"))
    return client, pyarrow.flight.FlightCallOptions(headers=[(b"authorization", bearer.encode())])


def act(client, options, name, body):
    results = list(client.do_action(pyarrow.flight.Action(name, body), options))
    return results[0].body.to_pybytes() if results else b""


def prepare(client, options, sql):
    request = packed("ActionCreatePreparedStatementRequest", field(1, sql))
    return fields(fields(act(client, options, "CreatePreparedStatement", request))[2])[1]


def close(client, options, handle):
    act(client, options, "ClosePreparedStatement", packed("ActionClosePreparedStatementRequest", field(1, handle)))


def bind(client, options, handle, rows):
    put(client, options, descriptor("CommandPreparedStatementQuery", field(1, handle)), rows)


def put(client, options, into, rows):
    writer, reader = client.do_put(into, rows.schema, options)
    writer.write_table(rows)
    writer.done_writing()
    reader.read()
    writer.close()


def do_cancel(client, options, way, info):
    """The number of the result: 1 for cancelled, 3 for not cancellable."""
    if way == "CancelFlightInfo":
        return fields(act(client, options, way, field(1, info.serialize())))[1]
    answer = act(client, options, way, packed("ActionCancelQueryRequest", field(1, info.serialize())))
    return fields(fields(answer)[2])[1]
