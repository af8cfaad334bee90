"""Runs a Python handler as Lambda would, with AWS replaced by the stand-in: one event per line of input."""

import importlib
import json
import os
import subprocess
import sys
import types

import boto3.session

folder, handler = sys.argv[1:]
stand_in = os.environ['STAND_IN_URL']
aws_command = json.loads(os.environ['STAND_IN_AWS_COMMAND'])

make_client = boto3.session.Session.client


def client_of_stand_in(session, service_name, *args, **kwargs):
    """Versions of boto3 before 1.28 do not read AWS_ENDPOINT_URL."""
    kwargs['endpoint_url'] = f'{stand_in}/{service_name}'
    return make_client(session, service_name, *args, **kwargs)


boto3.session.Session.client = client_of_stand_in

check_call = subprocess.check_call
aws = None


def check_call_of_stand_in(command, *args, **kwargs):
    """The handler names the program of its layer by a path that only Lambda has. Here one process runs all commands."""
    global aws
    if command[0] != '/opt/awscli/aws':
        return check_call(command, *args, **kwargs)
    if aws is None:
        aws = subprocess.Popen(aws_command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    print(json.dumps(command[1:]), file=aws.stdin, flush=True)
    # Nothing, if the process has ended.
    exit_code = int(aws.stdout.readline() or 1)
    if exit_code != 0:
        raise subprocess.CalledProcessError(exit_code, command)
    return 0


subprocess.check_call = check_call_of_stand_in

sys.path.insert(0, folder)
module, function = handler.rsplit('.', 1)
handle = getattr(importlib.import_module(module), function)
context = types.SimpleNamespace(log_stream_name='rehearsal', aws_request_id='rehearsal')
with os.fdopen(3, 'w') as done:
    for line in sys.stdin:
        handle(json.loads(line), context)
        print(file=done, flush=True)
