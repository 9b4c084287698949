// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC2771Forwarder} from "@openzeppelin/contracts/metatx/ERC2771Forwarder.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

/// @notice Sends calls that an account signed (ERC-2771) to the contracts of its pair, for whoever pays the gas.
/// @dev OpenZeppelin's forwarder, which recovers only keys; this one also asks a contract for its signature (ERC-1271).
contract Forwarder is ERC2771Forwarder {
    constructor() ERC2771Forwarder("Heirloom Forwarder") {}

    /// @dev A contract is asked only when no key of the account signed, so that delegated code (EIP-7702) cannot veto
    /// its own key.
    function _recoverForwardRequestSigner(ForwardRequestData calldata request)
        internal
        view
        override
        returns (bool isValid, address signer)
    {
        bytes32 digest = _hashTypedDataV4(
            keccak256(
                abi.encode(
                    FORWARD_REQUEST_TYPEHASH,
                    request.from,
                    request.to,
                    request.value,
                    request.gas,
                    nonces(request.from),
                    request.deadline,
                    keccak256(request.data)
                )
            )
        );
        ECDSA.RecoverError failure;
        (signer, failure,) = ECDSA.tryRecoverCalldata(digest, request.signature);
        isValid = failure == ECDSA.RecoverError.NoError;
        if (isValid && signer == request.from) return (true, signer);
        if (request.from.code.length == 0) return (isValid, signer);
        if (SignatureChecker.isValidERC1271SignatureNowCalldata(request.from, digest, request.signature)) {
            return (true, request.from);
        }
    }
}
